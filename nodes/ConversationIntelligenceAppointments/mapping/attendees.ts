import { UserError } from 'n8n-workflow';
import { parseJson } from './values';

/** Pieces of an address list: quoted text, a comment, an address in angle brackets, a word, a separator, anything else. */
const PIECE =
	/"(?<quoted>(?:\\.|[^"\\])*)"|\((?<comment>[^()]*)\)|<(?<angled>[^<>]*)>|(?<word>[^\s,;"()<>]+)|(?<separator>[,;\r\n])|\S/gs;

/** One address: an `@` between two texts, without anything that only stands around addresses. */
const ADDRESS = /^(?!')[^@\s\p{C}"()<>[\]\\,:;]+@[^@\s\p{C}"()<>[\]\\,:;']+$/u;

/** The service also finds people by `first.last` (D2 § Attendee rules, 2). */
const FIRST_LAST = /^(?!')[^@\s\p{C}"()<>[\]\\,:;.]+(?:\.[^@\s\p{C}"()<>[\]\\,:;.']+)+$/u;

/**
 * The attendees from an array, a JSON array, or text as mail programs write it: separated by commas, semicolons, blanks
 * or line breaks, with or without names.
 *
 * @param value as mapped
 * @param label for messages
 * @returns the whole list; an empty array stays one; undefined for text without an address
 * @throws UserError that quotes the part that is no single address
 */
export function readAttendees(value: unknown, label: string): string[] | undefined {
	const isJson = typeof value === 'string' && /^\s*\[/.test(value);
	const list = isJson ? parseJson(value) : value;
	if (typeof list === 'string') {
		const addresses = readAddressList(list);
		return addresses.length === 0 ? undefined : addresses;
	}
	if (!Array.isArray(list)) throw notAList(label);
	return list.flatMap((entry) => {
		if (typeof entry !== 'string' || entry.trim() === '') throw notAList(label);
		return readAddressList(entry);
	});
}

function notAList(label: string): UserError {
	return new UserError(`${label} is not a list of email addresses`, {
		description: 'Use text such as "ana@example.com, bob@example.com", or an array without blank entries.',
	});
}

function readAddressList(text: string): string[] {
	// A line break before a blank continues the line, as in the header of an email.
	const unfolded = text.replace(/\r?\n(?=[ \t])/g, '');
	const addresses: string[] = [];
	let part = new AddressPart();
	let start = 0;
	const endPart = (end: number) => {
		addresses.push(...part.addresses(unfolded.slice(start, end).trim()));
		part = new AddressPart();
		start = end + 1;
	};
	for (const { index, groups } of unfolded.matchAll(PIECE)) {
		const { separator, angled, word, comment, quoted } = groups ?? {};
		if (separator !== undefined) endPart(index);
		else if (angled !== undefined) part.addAngled(angled);
		else if (word !== undefined) part.addWord(word);
		else if (comment !== undefined) part.addComment();
		else part.addName(quoted);
	}
	endPart(unfolded.length);
	return addresses;
}

/** What is between two separators: words that are addresses, or names each followed by an address in angle brackets. */
class AddressPart {
	private readonly found: string[] = [];

	/** Words since the last address in angle brackets. */
	private words: string[] = [];

	/** Whether a name waits for its address in angle brackets. */
	private hasName = false;

	private hasComment = false;

	private isBroken = false;

	addWord(word: string): void {
		this.words.push(word);
		// `jane.doe (at) example.com` is no pair of addresses.
		this.hasName ||= this.hasComment;
	}

	/** A comment behind an address is its name: `jane@example.com (Jane Doe)`. */
	addComment(): void {
		this.hasComment = true;
	}

	/** @param name undefined for a lone quote or bracket */
	addName(name: string | undefined): void {
		this.isBroken ||= name === undefined;
		this.hasName = true;
	}

	addAngled(inside: string): void {
		const address = inside.trim().replace(/^mailto:/i, '');
		// `a@x <b@x>` may be one person or two; only an address that names itself is one.
		const isNamedByAnother = this.words.some(
			(word) => word.includes('@') && word.toLowerCase() !== address.toLowerCase(),
		);
		this.isBroken ||= isNamedByAnother || !ADDRESS.test(address);
		this.found.push(address);
		this.words = [];
		this.hasName = false;
		this.hasComment = false;
	}

	/**
	 * @param text the part as it was written
	 * @throws UserError for what is no address, or more than one without a clear border
	 */
	addresses(text: string): string[] {
		const all = [...this.found, ...this.words];
		const isClear = !this.isBroken && !this.hasName && this.words.every(isAddress);
		if (isClear && (all.length > 0 || text === '')) return all;
		throw new UserError(`Attendee ${JSON.stringify(text)} is not an email address`, {
			description:
				'Use an address such as bob@example.com, with commas between several, or leave Attendee Emails empty.',
		});
	}
}

function isAddress(word: string): boolean {
	return ADDRESS.test(word) || FIRST_LAST.test(word);
}
