import { jsonParse } from 'n8n-workflow';
import { isObject } from '../../shared/node/isObject';
import { assertLength, MAX_LIST, MAX_VALUE } from '../../shared/node/parameters';
import { fieldError } from './values';

interface Token {
	/** The name of a group of {@link TOKEN}. */
	kind: string;
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
		const addresses = readAddressList(list, label);
		return addresses.length === 0 ? undefined : addresses;
	}
	const entries = Array.isArray(list) ? list.map(addressOf) : [null];
	for (const entry of entries) assertLength(entry, label, MAX_VALUE);
	if (!entries.every(isFilled)) throw fieldError('attendees_invalid', label, value);
	return entries.flatMap((entry) => readAddressList(entry, label));
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
	const text = given.replace(/\r?\n(?=[ \t])/g, '');
	const addresses: string[] = [];
	for (const part of partsOf(text)) {
		const { start } = part[0];
		if (part.some(({ kind }) => kind === 'stray')) return { addresses, refused: upToBorder(text, start) };
		const found = addressesIn(part);
		if (found === undefined) return { addresses, refused: text.slice(start, part.at(-1)!.end) };
		addresses.push(...found);
	}
	return { addresses };
}

/** The tokens between borders. */
function partsOf(text: string): Token[][] {
	const parts: Token[][] = [[]];
	for (const { groups = {}, index, 0: whole } of text.matchAll(TOKEN)) {
		const [kind, found] = Object.entries(groups).find(([, one]) => one !== undefined)!;
		// A quote without its partner reads to the end, so that no later one does so again.
		const token = { kind: groups.open === undefined ? kind : 'stray', text: found, start: index };
		if (kind === 'border') parts.push([]);
		else parts.at(-1)!.push({ ...token, end: index + whole.length });
	}
	return parts.filter(({ length }) => length > 0);
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
