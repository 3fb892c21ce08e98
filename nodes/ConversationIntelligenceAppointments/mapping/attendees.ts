import { jsonParse } from 'n8n-workflow';
import type { CodedError } from '../../shared/errors/codedError';
import { isObject } from '../../shared/node/isObject';
import { assertLength, MAX_LIST, quoted } from '../../shared/node/parameters';
import type { Reading } from '../warnings';
import { fieldError, isUnset } from './values';

/** Text between two borders, which are no borders in quotes and brackets. */
const PART = /(?:"[^"]*"|<[^<>]*>|\([^()]*\)|[^,;\r\n])+/g;

/** A name in quotes, which can contain any character. */
const QUOTED = /"[^"]*"/g;

/** What some mail programs write behind an address. */
const COMMENT = /\s\([^()@]*\)$/;

/** An `@` between characters of an address, without what only surrounds addresses: quotes, asterisks, bars. */
const EMAIL =
	/^(?!')[\p{L}\p{M}\p{N}.!#$%&'+/=^_`{}~-]+@[\p{L}\p{M}\p{N}]([\p{L}\p{M}\p{N}._-]*[\p{L}\p{M}\p{N}])?$/u;

/** The service also finds people by `first.last` (D2 § Attendee rules, 2). One part has two letters, unlike `n.a`. */
const FIRST_LAST = /^(?=.*\p{L}{2})\p{L}[\p{L}\p{M}\p{N}'_-]*(?:\.\p{L}[\p{L}\p{M}\p{N}'_-]*(?<!'))+$/u;

/**
 * The attendees from text as mail programs write it, from a list of such texts or of calendars' attendees, or from JSON.
 * Of a calendar's, rooms, people who declined and entries without an address are left out, with a warning.
 *
 * @returns the whole list; an empty array stays one; undefined if text or a calendar's list names nobody
 * @throws CodedError that quotes the part that is not exactly one address
 */
export function readAttendees(
	value: unknown,
	label: string,
	{ warnings }: Pick<Reading, 'warnings'>,
): string[] | undefined {
	assertLength(value, label, MAX_LIST);
	const refuse = (part: string) => fieldError('attendee_invalid', label, part);
	const isJson = typeof value === 'string' && /^\s*\[/.test(value);
	const list = isJson ? jsonParse<unknown>(value, { fallbackValue: null }) : value;
	if (typeof list === 'string') {
		const addresses = readAddresses(list, refuse);
		return addresses.length === 0 ? undefined : addresses;
	}
	if (!Array.isArray(list)) throw fieldError('attendees_invalid', label, value);
	const addresses = list.flatMap((entry: unknown) => {
		const address = addressOf(entry);
		const other = leftOut(entry);
		if (other !== undefined) {
			(warnings.attendees_left_out ??= []).push(other);
			return [];
		}
		assertLength(address, label);
		if (typeof address !== 'string' || isUnset(address)) throw fieldError('attendees_invalid', label, value);
		return readAddresses(address, refuse);
	});
	return addresses.length === 0 && list.length > 0 ? undefined : addresses;
}

/** The owner: exactly one address, written like an attendee. @throws CodedError for no address or several */
export function readOwner(value: unknown, label: string): string {
	const text = addressOf(value);
	assertLength(text, label);
	const refused = fieldError('owner_invalid', label, value);
	const addresses = typeof text === 'string' ? readAddresses(text, () => refused) : [];
	if (addresses.length === 1) return addresses[0];
	throw refused;
}

/** The address of a calendar's attendee, Google's or Outlook's; anything else stays as it is. */
function addressOf(entry: unknown): unknown {
	if (!isObject(entry)) return entry;
	const { email, emailAddress, address } = entry;
	return email ?? (isObject(emailAddress) ? emailAddress.address : emailAddress) ?? address;
}

/** An entry of Google's or Outlook's calendar that is no attendee, with the reason; undefined for any other. */
function leftOut(entry: unknown): string | undefined {
	if (!isObject(entry)) return undefined;
	const { resource, type, responseStatus, status, displayName, name, emailAddress } = entry;
	const isRoom = resource === true || type === 'resource';
	const response = isObject(status) ? status.response : responseStatus;
	const isDeclined = response === 'declined';
	const address = addressOf(entry);
	if (!isRoom && !isDeclined && !isUnset(address)) return undefined;
	const ofOutlook = isObject(emailAddress) ? emailAddress.name : undefined;
	const named = [address, displayName, name, ofOutlook].find((one) => !isUnset(one)) ?? entry;
	return `${quoted(named)} (${isRoom ? 'a room' : isDeclined ? 'declined' : 'no address'})`;
}

/** Throws the error of the first part that is not exactly addresses. */
function readAddresses(text: string, refuse: (part: string) => CodedError): string[] {
	// A line break before a space continues the line, as in the header of an email; an escaped quote ends no name.
	const line = text.replace(/\r?\n(?=[ \t])/g, '').replace(/\\["\\]/g, '\\_');
	return (line.match(PART) ?? [])
		.map((part) => part.trim())
		.filter(Boolean)
		.flatMap((part) => {
			const addresses = part.includes('<') ? namedAddresses(part) : bareAddresses(part);
			if (addresses === undefined) throw refuse(part);
			return addresses;
		});
}

/** The addresses of `Jane <jane@x> Bob <bob@x>`; undefined if one is not clear, or if all are in quotes. */
function namedAddresses(part: string): string[] | undefined {
	const named = part.replace(QUOTED, ' ').split('>');
	if (named.pop()?.trim() !== '' || named.length === 0) return undefined;
	const addresses: string[] = [];
	for (const one of named) {
		const [name, angled = '', ...more] = one.split('<');
		const address = withoutScheme(angled.trim());
		if (more.length > 0 || !EMAIL.test(address) || isSomeoneElse(name, address)) return undefined;
		addresses.push(address);
	}
	return addresses;
}

/** The addresses of a text without angle brackets, with blanks between them; undefined if one is not clear. */
function bareAddresses(part: string): string[] | undefined {
	const words = part.replace(COMMENT, '').split(/\s+/).map(withoutScheme);
	return words.every((word) => EMAIL.test(word) || FIRST_LAST.test(word)) ? words : undefined;
}

/** Whether a name before `<address>` may be another person, who would be left out: `a@x <b@x>`; or is cut. */
function isSomeoneElse(name: string, address: string): boolean {
	const own = [address, address.split('@')[0]].map((text) => text.toLowerCase());
	const isOther = (word: string) => /[@"]/.test(word) || FIRST_LAST.test(word);
	return name.split(/\s+/).some((word) => isOther(word) && !own.includes(word.toLowerCase()));
}

const withoutScheme = (text: string) => text.replace(/^mailto:/i, '');
