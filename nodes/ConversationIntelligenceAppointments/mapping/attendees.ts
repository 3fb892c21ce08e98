import { jsonParse, UserError } from 'n8n-workflow';

/** Text between two separators. Commas inside quotes and brackets do not separate. */
const PART = /(?:"(?:\\.|[^"\\])*"|\([^()]*\)|<[^<>]*>|[^,;\r\n])+/gs;

/** Pieces of a part. A lone quote or bracket does not match. */
const PIECE =
	/(?<quoted>"(?:\\.|[^"\\])*")|(?<comment>\([^()]*\))|<(?<angled>[^<>]*)>|(?<word>[^\s"()<>]+)|\S/gs;

/** The initials of the kinds, in an order with one meaning: names before brackets, a comment after an address. */
const IN_ORDER = /^(?:[wqc]*a)*w*c*$/;

/** An `@` between two texts, without anything that only surrounds addresses. */
const EMAIL = /^(?!')[^@\s\p{C}"()<>[\]\\,:;]+@[^@\s\p{C}"()<>[\]\\,:;']+$/u;

/** The service also finds people by `first.last` (D2 § Attendee rules, 2). */
const FIRST_LAST = /^(?!')[^@\s\p{C}"()<>[\]\\,:;.]+(?:\.[^@\s\p{C}"()<>[\]\\,:;.']+)+$/u;

/**
 * The attendees from an array, a JSON array, or text as mail programs write it: separated by commas, semicolons, spaces
 * or line breaks, with or without names.
 *
 * @returns the whole list; an empty array stays one; undefined for text without an address
 * @throws UserError that quotes the part that is not exactly one address
 */
export function readAttendees(value: unknown, label: string): string[] | undefined {
	const isJson = typeof value === 'string' && /^\s*\[/.test(value);
	const list = isJson ? jsonParse<unknown>(value, { fallbackValue: null }) : value;
	if (typeof list === 'string') {
		const addresses = readAddressList(list, label);
		return addresses.length === 0 ? undefined : addresses;
	}
	const isList =
		Array.isArray(list) && list.every((entry) => typeof entry === 'string' && entry.trim() !== '');
	if (isList) return list.flatMap((entry: string) => readAddressList(entry, label));
	throw new UserError(`${label} is not a list of email addresses`, {
		description: 'Use text such as "ana@example.com, bob@example.com", or an array without blank entries.',
	});
}

function readAddressList(text: string, label: string): string[] {
	// A line break before a space continues the line, as in the header of an email.
	const unfolded = text.replace(/\r?\n(?=[ \t])/g, '');
	const parts = (unfolded.match(PART) ?? []).map((part) => part.trim()).filter((part) => part !== '');
	return parts.flatMap((part) => readPart(part, label));
}

/** The addresses between two separators: bare ones, or names each followed by an address in angle brackets. */
function readPart(part: string, label: string): string[] {
	const angled: string[] = [];
	let words: string[] = [];
	let kinds = '';
	for (const { groups = {} } of part.matchAll(PIECE)) {
		const [kind, text] = Object.entries(groups).find(([, found]) => found !== undefined) ?? ['x', ''];
		kinds += kind[0];
		if (kind === 'word') words.push(text);
		if (kind === 'angled') {
			const address = text.trim().replace(/^mailto:/i, '');
			// `a@x <b@x>` may be one person or two; only an address that names itself is one.
			if (words.some((word) => word.includes('@') && !isSame(word, address))) kinds += 'x';
			angled.push(address);
			words = [];
		}
	}
	const addresses = [...angled, ...words];
	const areClear = IN_ORDER.test(kinds) && angled.every(isEmail) && words.every(isEmailOrName);
	if (areClear && addresses.length > 0) return addresses;
	throw new UserError(`Attendee ${JSON.stringify(part)} is not an email address`, {
		description: `Use an address such as bob@example.com, with commas between several, or leave ${label} empty.`,
	});
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
const isEmail = (word: string) => EMAIL.test(word);
const isEmailOrName = (word: string) => isEmail(word) || FIRST_LAST.test(word);
