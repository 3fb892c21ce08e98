import { jsonParse } from 'n8n-workflow';
import { codedError } from '../../shared/errors/codedError';
import { isObject } from '../../shared/node/isObject';
import { assertLength, MAX_LIST, MAX_VALUE, quoted, refusedValue } from '../../shared/node/parameters';
import { INPUT_ERRORS } from '../errors';

type Kind = 'border' | 'name' | 'comment' | 'angled' | 'word' | 'stray';

interface Token {
	kind: Kind;
	text: string;
	start: number;
	end: number;
}

/** One token. Commas in quotes and brackets are not a border; a quote or bracket without its partner is stray. */
const TOKEN =
	/(?<border>[,;\r\n])|"(?<name>(?:\\.|[^"\\])*)(?:"|(?<open>\\?$))|\((?<comment>[^()]*)\)|<(?<angled>[^<>]*)>|(?<word>[^\s,;"()<>]+)|(?<stray>["()<>])/gs;

/** An `@` between characters of an address, without what only surrounds addresses: quotes, asterisks, bars. */
const EMAIL =
	/^(?!')[\p{L}\p{M}\p{N}.!#$%&'+/=^_`{}~-]+@[\p{L}\p{M}\p{N}]([\p{L}\p{M}\p{N}._-]*[\p{L}\p{M}\p{N}])?$/u;

/** The service also finds people by `first.last` (D2 § Attendee rules, 2). One part has two letters, unlike `n.a`. */
const FIRST_LAST = /^(?=.*\p{L}{2})\p{L}[\p{L}\p{M}\p{N}'_-]*(?:\.\p{L}[\p{L}\p{M}\p{N}'_-]*(?<!'))+$/u;

/**
 * The attendees from text as mail programs write it, from a list of such texts or of calendars' attendees, or from JSON.
 *
 * @returns the whole list; an empty array stays one; undefined for text without an address
 * @throws CodedError that quotes the part that is not exactly one address
 */
export function readAttendees(value: unknown, label: string): string[] | undefined {
	assertLength(value, label, MAX_LIST);
	const isJson = typeof value === 'string' && /^\s*\[/.test(value);
	const list = isJson ? jsonParse<unknown>(value, { fallbackValue: null }) : value;
	if (typeof list === 'string') {
		const addresses = readAddressList(list, label, 'attendee_invalid');
		return addresses.length === 0 ? undefined : addresses;
	}
	const entries = Array.isArray(list) ? list.map(addressOf) : [null];
	for (const entry of entries) assertLength(entry, label, MAX_VALUE);
	if (entries.every(isFilled))
		return entries.flatMap((entry) => readAddressList(entry, label, 'attendee_invalid'));
	throw refusedValue({
		label,
		rule: 'a list of email addresses',
		value,
		advice:
			'Use text such as "ana@example.com, bob@example.com", an array without blank entries, or the attendees of a calendar. People who are not in it are removed.',
	});
}

/**
 * The owner: exactly one address, written like an attendee.
 *
 * @throws CodedError for no address or several
 */
export function readOwner(value: unknown, label: string): string {
	const text = addressOf(value);
	assertLength(text, label);
	const addresses = isFilled(text) ? readAddressList(text, label, 'owner_invalid') : [];
	if (addresses.length === 1) return addresses[0];
	throw refusedValue({
		label,
		rule: 'one email address',
		value,
		advice: 'Map it to the email address of the rep who owns the appointment.',
	});
}

/** The address of a calendar's attendee, Google's or Outlook's; anything else stays as it is. */
function addressOf(entry: unknown): unknown {
	if (!isObject(entry)) return entry;
	const { email, emailAddress, address } = entry;
	return email ?? (isObject(emailAddress) ? emailAddress.address : emailAddress) ?? address;
}

function isFilled(text: unknown): text is string {
	return typeof text === 'string' && text.trim() !== '';
}

/** @param code of the error for a part that is not exactly one address */
function readAddressList(given: string, field: string, code: 'attendee_invalid' | 'owner_invalid'): string[] {
	// A line break before a space continues the line, as in the header of an email.
	const text = given.replace(/\r?\n(?=[ \t])/g, '');
	const addresses: string[] = [];
	let part: Token[] = [];
	const refuse = (refused: string): never => {
		throw codedError(INPUT_ERRORS, code, { field, value: quoted(refused) }, { field });
	};
	const endPart = () => {
		if (part.length === 0) return;
		const found = addressesIn(part);
		addresses.push(...(found ?? refuse(text.slice(part[0].start, part.at(-1)!.end))));
		part = [];
	};
	for (const token of tokensOf(text)) {
		if (token.kind === 'border') endPart();
		else if (token.kind === 'stray') refuse(upToBorder(text, part[0]?.start ?? token.start));
		else part.push(token);
	}
	endPart();
	return addresses;
}

function* tokensOf(text: string): Generator<Token> {
	for (const { groups, index, 0: whole } of text.matchAll(TOKEN)) {
		const [kind, found] = Object.entries(groups!).find(([, one]) => one !== undefined)!;
		// A quote without its partner reads to the end, so that no later one does so again.
		const isOpen = groups!.open !== undefined;
		yield { kind: isOpen ? 'stray' : (kind as Kind), text: found, start: index, end: index + whole.length };
	}
}

/**
 * The addresses between two borders: names that are each followed by an address in angle brackets, then bare addresses.
 *
 * @returns undefined when a piece has no clear meaning
 */
function addressesIn(part: Token[]): string[] | undefined {
	const angled: string[] = [];
	let names: Token[] = [];
	for (const token of part) {
		if (token.kind !== 'angled') {
			names.push(token);
			continue;
		}
		const address = withoutScheme(token.text.trim());
		if (!EMAIL.test(address) || names.some((name) => isSomeoneElse(name, address))) return undefined;
		angled.push(address);
		names = [];
	}
	const bare: string[] = [];
	let isCommented = false;
	for (const { kind, text } of names) {
		const address = withoutScheme(text);
		if (kind === 'comment') isCommented = true;
		if (kind === 'comment' && !hasAddress(text)) continue;
		if (kind !== 'word' || isCommented || !isEmailOrName(address)) return undefined;
		bare.push(address);
	}
	const addresses = [...angled, ...bare];
	return addresses.length > 0 ? addresses : undefined;
}

/** Whether a bare word before `<address>` may be another person, whom the name would hide: `a@x <b@x>`. */
function isSomeoneElse({ kind, text }: Token, address: string): boolean {
	const isPerson =
		kind === 'comment' ? hasAddress(text) : kind === 'word' && (text.includes('@') || FIRST_LAST.test(text));
	if (!isPerson) return false;
	const own = address.toLowerCase();
	return ![own, own.split('@')[0]].includes(text.toLowerCase());
}

const withoutScheme = (text: string) => text.replace(/^mailto:/i, '');
const hasAddress = (text: string) => /\S@\S/.test(text);
const isEmailOrName = (word: string) => EMAIL.test(word) || FIRST_LAST.test(word);
/** The text from a position up to the next border. */
const upToBorder = (text: string, start: number) => /[^,;\r\n]*/.exec(text.slice(start))![0].trim();
