import { jsonParse, type IDataObject } from 'n8n-workflow';
import { isObject } from '../../shared/node/isObject';
import { assertLength, MAX_LIST, MAX_VALUE, quoted } from '../../shared/node/parameters';
import type { Reading } from '../warnings';
import { fieldError, isUnset } from './values';

/** One token. Commas in quotes and brackets are not a border; a quote or bracket without its partner is stray. */
const TOKEN =
	/(?<border>[,;\r\n])|"(?:\\.|[^"\\])*(?:"|(?<open>\\?$))|\((?<comment>[^()]*)\)|<(?<angled>[^<>]*)>|(?<word>[^\s,;"()<>]+)|(?<stray>["()<>])/gs;

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
	{ keepDeclined, warnings }: Pick<Reading, 'keepDeclined' | 'warnings'>,
): string[] | undefined {
	assertLength(value, label, MAX_LIST);
	const isJson = typeof value === 'string' && /^\s*\[/.test(value);
	const list = isJson ? jsonParse<unknown>(value, { fallbackValue: null }) : value;
	if (typeof list === 'string') {
		const addresses = readAddressList(list, label);
		return addresses.length === 0 ? undefined : addresses;
	}
	if (!Array.isArray(list)) throw fieldError('attendees_invalid', label, value);
	const addresses = list.flatMap((entry: unknown) => {
		const address = addressOf(entry);
		const reason = reasonToLeaveOut(entry, keepDeclined);
		if (reason !== undefined) {
			(warnings.attendees_left_out ??= []).push(`${nameOf(entry)} (${reason})`);
			return [];
		}
		assertLength(address, label, MAX_VALUE);
		if (!isFilled(address)) throw fieldError('attendees_invalid', label, value);
		return readAddressList(address, label);
	});
	return addresses.length === 0 && list.length > 0 ? undefined : addresses;
}

/**
 * The owner: exactly one address, written like an attendee.
 *
 * @throws CodedError for no address or several
 */
export function readOwner(value: unknown, label: string): string {
	const text = addressOf(value);
	assertLength(text, label);
	const { addresses, refused } = parseAddresses(isFilled(text) ? text : '');
	if (addresses.length === 1 && refused === undefined) return addresses[0];
	throw fieldError('owner_invalid', label, value);
}

/** The address of a calendar's attendee, Google's or Outlook's; anything else stays as it is. */
function addressOf(entry: unknown): unknown {
	if (!isObject(entry)) return entry;
	const { email, emailAddress, address } = entry;
	return email ?? (isObject(emailAddress) ? emailAddress.address : emailAddress) ?? address;
}

/** Why an entry of Google's or Outlook's calendar is no attendee. */
function reasonToLeaveOut(entry: unknown, keepDeclined: boolean): string | undefined {
	if (!isObject(entry)) return undefined;
	const { resource, type, responseStatus, status } = entry;
	const response = isObject(status) ? status.response : responseStatus;
	if (resource === true || type === 'resource') return 'a room';
	if (response === 'declined' && !keepDeclined) return 'declined';
	return isUnset(addressOf(entry)) ? 'no address' : undefined;
}

function nameOf(entry: unknown): string {
	const { displayName, name, emailAddress } = entry as IDataObject;
	const ofOutlook = isObject(emailAddress) ? emailAddress.name : undefined;
	return quoted([addressOf(entry), displayName, name, ofOutlook].find((one) => !isUnset(one)) ?? entry);
}

function isFilled(text: unknown): text is string {
	return typeof text === 'string' && text.trim() !== '';
}

function readAddressList(text: string, label: string): string[] {
	const { addresses, refused } = parseAddresses(text);
	if (refused !== undefined) throw fieldError('attendee_invalid', label, refused);
	return addresses;
}

/** @returns the addresses up to the first part that is not exactly one, and that part */
function parseAddresses(given: string): { addresses: string[]; refused?: string } {
	// A line break before a space continues the line, as in the header of an email.
	const text = `${given.replace(/\r?\n(?=[ \t])/g, '')},`;
	const addresses: string[] = [];
	/** What is not in angle brackets: the name of the next address that is, or addresses. */
	let loose: Loose[] = [];
	/** Of the part between two borders. */
	let start: number | undefined;
	let found: string[] = [];
	for (const { groups = {}, index, 0: token } of text.matchAll(TOKEN)) {
		const { border, open, stray, angled, word, comment } = groups;
		// A quote without its partner reads to the end, so that no later one does so again.
		if ((open ?? stray) !== undefined) return { addresses, refused: upToBorder(text, start ?? index) };
		if (border !== undefined) {
			const bare = start === undefined ? [] : bareAddresses(loose, found.length > 0);
			if (bare === undefined) return { addresses, refused: text.slice(start, index).trim() };
			addresses.push(...found, ...bare);
			[loose, found, start] = [[], [], undefined];
			continue;
		}
		start ??= index;
		if (angled === undefined) {
			loose.push({ word, comment });
			continue;
		}
		const address = withoutScheme(angled.trim());
		const isClear = EMAIL.test(address) && !loose.some((name) => isSomeoneElse(name, address));
		if (!isClear) return { addresses, refused: text.slice(start, index + token.length) };
		found.push(address);
		loose = [];
	}
	return { addresses };
}

/** A word, a comment in brackets, or neither: a name in quotes. */
interface Loose {
	word?: string;
	comment?: string;
}

/** @returns undefined when one has no clear meaning, or when there is none, neither here nor before */
function bareAddresses(loose: Loose[], hasOthers: boolean): string[] | undefined {
	const isComment = ({ comment }: Loose) => comment !== undefined && !hasAddress(comment);
	const firstComment = loose.findIndex(isComment);
	const words = firstComment < 0 ? loose : loose.slice(0, firstComment);
	const addresses = words.map(({ word = '' }) => withoutScheme(word));
	const isClear = addresses.every(isEmailOrName) && loose.slice(words.length).every(isComment);
	return isClear && (hasOthers || addresses.length > 0) ? addresses : undefined;
}

/** Whether a word or comment before `<address>` may be another person, whom the name would hide: `a@x <b@x>`. */
function isSomeoneElse({ word = '', comment = '' }: Loose, address: string): boolean {
	if (!hasAddress(comment) && !word.includes('@') && !FIRST_LAST.test(word)) return false;
	const own = address.toLowerCase();
	return ![own, own.split('@')[0]].includes((word || comment).toLowerCase());
}

const withoutScheme = (text: string) => text.replace(/^mailto:/i, '');
const hasAddress = (text: string) => /\S@\S/.test(text);
const isEmailOrName = (word: string) => EMAIL.test(word) || FIRST_LAST.test(word);
/** The text from a position up to the next border. */
const upToBorder = (text: string, start: number) => /[^,;\r\n]*/.exec(text.slice(start))![0].trim();
