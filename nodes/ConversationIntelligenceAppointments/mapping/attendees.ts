import { jsonParse } from 'n8n-workflow';
import { isObject, quoted } from '../../shared/base/text';
import { assertLength, MAX_LIST } from '../../shared/base/codedErrors';
import type { Warnings } from '../itemWarnings';
import { fieldError, isPlaceholder, isUnset, type ValueContext } from './values';

/** Text between two borders, which do not count in quotes and brackets. */
const PART = /(?:"[^"]*"|<[^<>]*>|\([^()]*\)|[^,;\r\n])+/g;
/** An `@` between characters of an address, without what only surrounds addresses: quotes, asterisks, bars. Nobody is called undefined or {{name}}. */
const EMAIL =
	/^(?!'|.*(?:\{\{|\$\{|(?<![\p{L}\p{N}])undefined(?![\p{L}\p{N}])|@(?:null|nan)$))[\p{L}\p{M}\p{N}.!#$%&'+/=^_`{}~-]+@[\p{L}\p{M}\p{N}]([\p{L}\p{M}\p{N}._-]*[\p{L}\p{M}\p{N}])?$/u;

/** The service also finds people by `first.last` (D2 § Attendee rules, 2). One part has two letters, unlike `n.a`. */
const FIRST_LAST = /^(?=.*\p{L}{2})\p{L}[\p{L}\p{M}\p{N}'_-]*(?:\.\p{L}[\p{L}\p{M}\p{N}'_-]*(?<!'))+$/u;

/** What an entry says one or two levels deep, by its keys in lower case without signs, e.g. `status.response`. */
type Leaf = [path: string, text: string];

/** How calendars, CRMs and forms name what is the attendee's own, or others'; attendees of a calendar can lack an address. */
const KEYS = {
	own: /^(properties\.)?(e?mail(address)?(es|s)?|val)(\.|$)/,
	address: /(mail|address)(es|s)?$/,
	name: /(^|\.)(cn|label|(display|full|user)?name)$/,
	others:
		/(^|\.)(organi[sz]er|creator|owner|manager|account|company|calendar(?!address)|comment|delegated)|(ed|sent)by/,
	calendar: /^(e?mail(address)?|responsestatus|partstat|relation\.email|params\.(cn|cutype|partstat))(\.|$)/,
};

/** How an entry says that it is a room, and that it declined: path and text. Only `declined` is clear under any key. */
const ROOM = /^((is)?resource=true|(params\.)?(type|kind|cutype)=(resource|room))$/i;
const DECLINED =
	/=declined?$|^(is|has|was)?(declined|cancell?ed|deleted|removed)=true$|^(status\.)?(status|response|responsestatus|rsvp|rsvpstatus)=(no|rejected|denied|cancell?ed|deleted|removed|not[ _-]?(attending|going))$/i;

/** The second is what iCalendar writes for an attendee without an address. */
const NO_ADDRESS = /^(mailto:|invalid:nomail)?$/i;

/**
 * The attendees from text as mail programs write it, from JSON, or from entries with one address each; warns of rooms, who
 * declined and calendars' entries without an address, which are left out.
 * @returns the whole list; an empty array stays one; undefined if text or a calendar's list names nobody
 */
export function readAttendees(
	value: unknown,
	label: string,
	{ warnings }: ValueContext,
): string[] | undefined {
	assertLength(value, label, MAX_LIST);
	const isJson = typeof value === 'string' && /^\s*(\[|\{\s*")/.test(value);
	const given = isJson ? jsonParse<unknown>(value, { fallbackValue: null }) : value;
	// iCalendar parsers return a single attendee without a list; an object with a list in it is the parent of one.
	const isParent = isObject(given) && Object.values(given).some(Array.isArray);
	const isEntry = isObject(given) && !isParent && leavesOf(given).some(([path]) => KEYS.calendar.test(path));
	const list = typeof given === 'string' || isEntry ? [given] : given;
	if (!Array.isArray(list)) throw fieldError('attendees_invalid', label, value);
	const addresses = list.flatMap((entry: unknown) => {
		if (typeof entry === 'object' && entry !== null) return readEntry(entry, label, warnings);
		assertLength(entry, label, list === given ? undefined : MAX_LIST);
		const isBlank = list === given && isUnset(entry);
		if (typeof entry !== 'string' || isBlank) throw fieldError('attendees_invalid', label, value);
		const { addresses: read, unclear } = parse(entry);
		if (unclear.length > 0) throw fieldError('attendee_invalid', label, unclear[0]);
		return read;
	});
	return addresses.length === 0 && list.length > 0 ? undefined : addresses;
}

/** The owner: exactly one address, written like an attendee. */
export function readOwner(value: unknown, label: string): string {
	assertLength(value, label);
	const isText = typeof value === 'string';
	const { addresses, unclear } = isText
		? parse(value)
		: { addresses: addressesOf(leavesOf(value)), unclear: [] };
	if (addresses.length === 1 && unclear.length === 0) return addresses[0];
	throw fieldError('owner_invalid', label, value);
}

/** The address of an entry, or none with a warning. */
function readEntry(entry: object, label: string, warnings: Warnings): string[] {
	const leaves = leavesOf(entry);
	const addresses = addressesOf(leaves);
	const says = (words: RegExp) => leaves.some((leaf) => words.test(leaf.join('=')));
	const isEmpty = leaves.every((leaf) => !leaf[1].includes('@') && !isOwnAddress(leaf));
	const reason = says(ROOM) ? 'a room' : says(DECLINED) ? 'declined' : isEmpty ? 'no address' : undefined;
	const isCalendars = leaves.some(([path]) => KEYS.calendar.test(path));
	const isClear = addresses.length === 1 || (isCalendars && reason !== undefined);
	if (!isClear) throw fieldError('attendee_unclear', label, entry);
	if (reason === undefined) return addresses;
	const [, name] = leaves.find(([path, text]) => KEYS.name.test(path) && text !== '') ?? [];
	(warnings.attendees_left_out ??= []).push(`${quoted(addresses[0] ?? name ?? entry)} (${reason})`);
	return [];
}

/** A list of one counts as its element. */
function leavesOf(value: unknown, keys: string[] = []): Leaf[] {
	const one = (Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value) ?? '';
	const plain = (key: string) => key.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
	if (isObject(one) && keys.length < 2) {
		return Object.entries(one).flatMap(([key, part]) => leavesOf(part, [...keys, plain(key)]));
	}
	return [[keys.join('.'), typeof one === 'string' ? one : JSON.stringify(one)]];
}

/** Whether an entry gives this as its own address, readable or not. */
const isOwnAddress = ([path, text]: Leaf) =>
	KEYS.own.test(path) && !KEYS.name.test(path) && !NO_ADDRESS.test(text.trim());

/** The different addresses of an entry, of the best keys that have one: its own, those of addresses, those of no names. */
function addressesOf(leaves: Leaf[]): string[] {
	const known = leaves.filter(([path, text]) => !KEYS.others.test(path) && text.length <= MAX_LIST);
	const own = known.filter(isOwnAddress);
	const ofAddresses = known.filter(([path]) => KEYS.address.test(path));
	const unnamed = known.filter(([path]) => !KEYS.name.test(path));
	for (const rank of [own, ofAddresses, unnamed, known]) {
		const read = rank.map(([, text]) => parse(text)).filter(({ unclear }) => unclear.length === 0);
		// Only under a key of its own is first.last an address.
		const found = read.flatMap((one) => one.addresses).filter((one) => rank === own || one.includes('@'));
		const different = new Map(found.map((one) => [one.toLowerCase(), one]));
		if (different.size > 0) return [...different.values()];
	}
	return [];
}

/** `Doe, Jane` before `<address>`, without quotes. */
const SURNAME_FIRST = /(^|[,;\r\n])[^\S\r\n]*(\p{L}[^,;<>()"@\r\n]*),([^,;<>"@\r\n]*)(?=<)/gu;

/** Addresses, and the parts of their text that are not exactly addresses. */
type Parsed = { addresses: string[]; unclear: string[] };

function parse(text: string): Parsed {
	// A line break before a space continues the line, as in the header of an email; an escaped quote ends no name.
	const line = text.replace(/\r?\n(?=[ \t])/g, '').replace(/\\["\\]/g, '\\_');
	const parsed = parseLine(line);
	const placeholders = parsed.unclear.filter((part) => isPlaceholder(part));
	if (placeholders.length > 0) return { ...parsed, unclear: placeholders };
	// Beside `Ben <address>`, the `Doe` of `Doe, Jane <address>` may be somebody without an address.
	if (/[^\s,;">]\s*</.test(line.replace(SURNAME_FIRST, '$1'))) return parsed;
	const joined = parseLine(line.replace(SURNAME_FIRST, '$1$2$3'));
	const unclear = new Set(parsed.unclear);
	return joined.unclear.every((part) => unclear.has(part)) ? joined : parsed;
}

function parseLine(line: string): Parsed {
	const parts = (line.match(PART) ?? []).map((part) => part.trim()).filter(Boolean);
	const read = parts.map((part) => (part.includes('<') ? namedAddresses(part) : bareAddresses(part)));
	const unclear = parts.filter((_, index) => read[index] === undefined);
	return { addresses: read.flatMap((addresses) => addresses ?? []), unclear };
}

/** The addresses of `Jane <jane@x> Bob <bob@x>`; undefined if one is not clear, or if all are in quotes. */
function namedAddresses(part: string): string[] | undefined {
	// A name in quotes can contain any character.
	const named = part.replace(/"[^"]*"/g, ' ').split('>');
	if (named.pop()?.trim() !== '' || named.length === 0) return undefined;
	const addresses = named.map((one) => {
		const [name, angled = '', ...more] = one.split('<');
		const address = withoutScheme(angled.trim());
		return more.length > 0 || isSomeoneElse(name, address) ? '' : address;
	});
	return addresses.every((address) => EMAIL.test(address)) ? addresses : undefined;
}

/** The addresses of a text without angle brackets, with blanks between them; undefined if one is not clear. */
function bareAddresses(part: string): string[] | undefined {
	// Some mail programs write a comment behind an address.
	const uncommented = part.replace(/\s\([^()@]*\)$/, '');
	const words = uncommented.split(/\s+/).map(withoutScheme);
	const isAddress = (word: string) => (EMAIL.test(word) || FIRST_LAST.test(word)) && !isPlaceholder(word);
	return words.every(isAddress) ? words : undefined;
}

/** Whether a name before `<address>` may be another person, who would be left out: `a@x <b@x>`; or is cut. */
function isSomeoneElse(name: string, address: string): boolean {
	const own = [address, address.split('@')[0]].map((text) => text.toLowerCase());
	const isOther = (word: string) => /[@"]/.test(word) || FIRST_LAST.test(word);
	return name.split(/\s+/).some((word) => isOther(word) && !own.includes(word.toLowerCase()));
}

const withoutScheme = (text: string) => text.replace(/^mailto:/i, '');
