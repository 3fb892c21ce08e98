import { jsonParse } from 'n8n-workflow';
import { isObject } from '../../shared/node/isObject';
import { assertLength, MAX_LIST, MAX_VALUE } from '../../shared/node/parameters';
import { fieldError } from './values';

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
