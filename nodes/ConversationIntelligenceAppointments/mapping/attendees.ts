import { jsonParse } from 'n8n-workflow';
import { firstFew, isObject, quoted } from '../../shared/base/text';
import { assertLength, MAX_LIST } from '../../shared/base/codedErrors';
import type { Warnings } from '../itemWarnings';
import { fieldError, isPlaceholder, isUnset, type ValueContext } from './values';

/** How a source writes an attendee: the path of the address, and the values that mean attends, declined or room. */
type Shape = [sources: string, address: string, attends?: string, declines?: string, room?: string];

/**
 * An entry is read by the first shape whose address it has.
 * @public read by `scripts/quotes.ts`
 */
export const SHAPES: Shape[] = [
	[
		'Google Calendar, Nylas, Cronofy, Calendly, Zoom, contacts',
		'email',
		'responseStatus: needsAction, accepted, tentative; status: needs_action, accepted, tentative, yes, maybe, noreply, active, approved, confirmed, pending, not_known, unknown',
		'responseStatus: declined; status: declined, no, canceled, denied, rejected',
	],
	[
		'Outlook, Microsoft Graph',
		'emailAddress.address',
		'status.response: none, organizer, tentativelyAccepted, accepted, notResponded; type: required, optional',
		'status.response: declined',
	],
	[
		'Exchange',
		'Mailbox.EmailAddress',
		'ResponseType: Unknown, Organizer, Tentative, Accept, NoResponseReceived',
		'ResponseType: Decline',
	],
	[
		'iCalendar parsers',
		'val',
		'params.PARTSTAT: NEEDS-ACTION, ACCEPTED, TENTATIVE; params.CUTYPE: INDIVIDUAL, GROUP, UNKNOWN',
		'params.PARTSTAT: DECLINED, DELEGATED',
		'params.CUTYPE: ROOM, RESOURCE',
	],
	[
		'iCalendar parsers',
		'mailto',
		'partstat: NEEDS-ACTION, ACCEPTED, TENTATIVE; cutype: INDIVIDUAL, GROUP, UNKNOWN; rsvp: true, false',
		'partstat: DECLINED, DELEGATED',
	],
	['Salesforce', 'Relation.Email', 'Status: New, Accepted, Maybe', 'Status: Declined, Uninvited'],
	['Zoho', 'participant', 'status: not_known, accepted', 'status: declined'],
	['Jira, forms with `email_address`', 'emailAddress'],
	['Pipedrive', 'email.value'],
	['HubSpot', 'properties.email'],
	['Slack', 'profile.email'],
	['Email Trigger (IMAP)', 'address'],
	// What entries of any shape can say, with or without `is` before it.
	[
		'All of these',
		'',
		'canceled: false; declined: false; deleted: false; removed: false; absent: false; excused: false; excluded: false; disabled: false; no_show: false; accepted: true; attending: true; active: true; confirmed: true; present: true',
		'canceled: true; declined: true; deleted: true; removed: true',
		'resource: true; room: true; type: resource, room, equipment; kind: resource, room, equipment; cutype: room, resource',
	],
];

/** Keys that may say whether somebody attends: a value that is not in the table rejects the entry. */
const RESPONSE =
	/^((is|has|was)?(accepted|attending|going|active|confirmed|present|absent|excused|excluded|disabled|noshow|(rejected|declined|cancell?ed|deleted|removed)(at|on|date)?)|status|response|reply|answer|vote|rsvp|partstat|attend(s|ance)|(response|rsvp|reply|participa\w*|attend\w*|invit\w*|approval|accept\w*)(status|state|response|type))(\.(?!time$)|$)/;
/** Values that decline, whatever their key, also deeper than an entry is read. */
const DECLINES =
	/(^|")\W{0,5}(declined?|cancell?ed|denied|rejected|uninvited|absent|no[ _-]?show|non[ _-]?participant|not[ _-]?(attending|going|coming))\W{0,5}("|$)/i;
/** Keys that show that an entry without an address is a calendar's attendee. */
const OF_CALENDAR = /^(responsestatus$|emailaddress\.name$|relation(\.|$)|params\.(cn|partstat|cutype)$)/;
const NO_ADDRESS = ['', 'mailto:', 'invalid:nomail'];
const NAME = /(^|\.)(cn|label|(display|full|user)?name)$/;

/** Text between two separators outside of quotes and brackets. */
const PART = /(?:"[^"]*"|<[^<>]*>|\([^()]*\)|[^,;\r\n])+/g;
/** An address without surrounding quotes. Placeholders such as undefined or {{name}} are not addresses. */
const EMAIL =
	/^(?!'|.*(?:\{\{|\$\{|(?<![\p{L}\p{N}])undefined(?![\p{L}\p{N}])|@(?:null|nan)$))[\p{L}\p{M}\p{N}.!#$%&'+/=^_`{}~-]+@[\p{L}\p{M}\p{N}]([\p{L}\p{M}\p{N}._-]*[\p{L}\p{M}\p{N}])?$/u;

/** The service also finds people by `first.last` (D2 § Attendee rules, 2). One part has two letters, unlike `n.a`. */
const FIRST_LAST = /^(?=.*\p{L}{2})\p{L}[\p{L}\p{M}\p{N}'_-]*(?:\.\p{L}[\p{L}\p{M}\p{N}'_-]*(?<!'))+$/u;

/**
 * The attendees from text as mail programs write it, from JSON, or from entries of known shapes. Warns of whom it leaves out.
 * @returns the whole list; undefined if text or a list names nobody, unless the list is empty
 */
export function readAttendees(
	value: unknown,
	label: string,
	{ warnings }: ValueContext,
): string[] | undefined {
	assertLength(value, label, MAX_LIST);
	const isJson = typeof value === 'string' && /^\s*(\[|\{\s*")/.test(value);
	const given = isJson ? jsonParse<unknown>(value, { fallbackValue: null }) : value;
	// iCalendar parsers return a single attendee without a list.
	const isEntry = isObject(given) && !Object.values(given).some(Array.isArray) && isKnown(leavesOf(given));
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
	const text = typeof value === 'string' ? value : (shapeOf(leavesOf(value))?.given ?? '');
	assertLength(text, label);
	const owner = singleAddress(text);
	if (owner === undefined) throw fieldError('owner_invalid', label, value);
	return owner;
}

/** The address of an entry, or none with a warning. */
function readEntry(entry: object, label: string, warnings: Warnings): string[] {
	const leaves = leavesOf(entry);
	const shape = shapeOf(leaves);
	const leaveOut = (reason: string) => {
		const name = shape?.given ?? leaves.find(({ path, text }) => NAME.test(path) && text)?.text;
		(warnings.attendees_left_out ??= []).push(`${quoted(name ?? entry)} (${reason})`);
		return [];
	};
	if (!shape && lacksAddress(leaves)) return leaveOut('no address');
	if (!shape) throw fieldError('attendee_unclear', label, entry, firstFew(Object.keys(entry)) || 'nothing');
	if (leaves.some(({ says }) => shape.rooms.has(says))) return leaveOut('a room');
	if (leaves.some(({ says }) => shape.declines.has(says))) return leaveOut('declined');
	const mayDecline = ({ path, text }: Leaf) =>
		shape.keys.has(path) || RESPONSE.test(path) || DECLINES.test(text.slice(0, 1000));
	const unknown = leaves.find((leaf) => leaf.text && !shape.attends.has(leaf.says) && mayDecline(leaf));
	if (unknown) {
		throw fieldError('attendee_unknown', label, shape.given, `${unknown.key} ${quoted(unknown.text)}`);
	}
	assertLength(shape.given, label);
	const address = singleAddress(shape.given);
	if (address === undefined) throw fieldError('attendee_invalid', label, shape.given);
	return [address];
}

/** What an entry says one or two levels deep: `Status.Response`, `status.response`, `Declined`, `status.response=declined`. */
type Leaf = { key: string; path: string; text: string; says: string };

/** A list of one is read as its element. */
function leavesOf(value: unknown, keys: string[] = []): Leaf[] {
	const one = (Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value) ?? '';
	if (isObject(one) && keys.length < 2) {
		return Object.entries(one).flatMap(([key, part]) => leavesOf(part, [...keys, key]));
	}
	const text = typeof one === 'string' ? one : JSON.stringify(one);
	const path = plain(keys.join('.'));
	return [{ key: keys.join('.'), path, text, says: `${path}=${plain(text.slice(0, 100))}` }];
}

/** A path or a value without letter case and signs, and with one spelling of `isCancelled`. */
const plain = (text: string) =>
	text
		.toLowerCase()
		.replace(/[^\p{L}\p{N}.]/gu, '')
		.replace(/^(?:is)?cancelled$/, 'canceled')
		.replace(
			/^is(?=(?:canceled|declined|deleted|removed|accepted|attending|active|confirmed|present|absent|excused|excluded|disabled|resource|room)$)/,
			'',
		);

/** All that the cells of a shape and of every shape say, e.g. `status=declined`. */
function saysOf(...cells: Array<string | undefined>): Set<string> {
	const parts = cells.flatMap((cell) => cell?.split('; ') ?? []).map((part) => part.split(': '));
	const all = parts.flatMap(([path, values]) =>
		values.split(', ').map((one) => `${plain(path)}=${plain(one)}`),
	);
	return new Set(all);
}

const OF_ALL = SHAPES.at(-1)!;
const READ_SHAPES = SHAPES.slice(0, -1).map(([, address, attends, declines, room]) => ({
	path: plain(address),
	keys: new Set(Array.from(saysOf(attends), (one) => one.split('=')[0])),
	attends: saysOf(attends, OF_ALL[2]),
	declines: saysOf(declines, OF_ALL[3]),
	rooms: saysOf(room, OF_ALL[4]),
}));

const hasAddress = (text: string) => !NO_ADDRESS.includes(text.trim().toLowerCase());

/** The first shape whose address an entry has, and the text of that address. */
function shapeOf(leaves: Leaf[]) {
	for (const shape of READ_SHAPES) {
		const given = leaves.find(({ path, text }) => path === shape.path && hasAddress(text))?.text;
		if (given !== undefined) return { ...shape, given: withoutScheme(given.trim()) };
	}
	return undefined;
}

const isKnown = (leaves: Leaf[]) => shapeOf(leaves) !== undefined || lacksAddress(leaves);

/** Whether a calendar gives no address of an attendee. */
function lacksAddress(leaves: Leaf[]): boolean {
	const paths = READ_SHAPES.map(({ path }) => path);
	const isCalendars = leaves.some(({ path }) => OF_CALENDAR.test(path) || paths.includes(path));
	return isCalendars && !leaves.some(({ text }) => text.includes('@'));
}

/** The address of a text with exactly one. */
function singleAddress(text: string): string | undefined {
	const { addresses, unclear } = parse(text);
	return addresses.length === 1 && unclear.length === 0 ? addresses[0] : undefined;
}

/** The addresses in a text, and the parts that are not exactly addresses. */
function parse(text: string) {
	// A line break before a space continues the line, as in the header of an email; an escaped quote ends no name.
	const line = text.replace(/\r?\n(?=[ \t])/g, '').replace(/\\["\\]/g, '\\_');
	const parts = (line.match(PART) ?? []).map((part) => part.trim()).filter(Boolean);
	const read = parts.map((part) => (part.includes('<') ? namedAddress(part) : bareAddresses(part)));
	const unclear = parts.filter((_, index) => read[index] === undefined);
	return { addresses: read.flatMap((addresses) => addresses ?? []), unclear };
}

/** The address of `Jane <jane@x>`, alone; undefined if it is unclear. */
function namedAddress(part: string): string[] | undefined {
	// A name in quotes can contain any character.
	const [, name = '', angled = ''] = /^([^<>]*)<([^<>]*)>$/.exec(part.replace(/"[^"]*"/g, ' ')) ?? [];
	const address = withoutScheme(angled.trim());
	return EMAIL.test(address) && !isSomeoneElse(name, address) ? [address] : undefined;
}

/** The addresses of `jane@x bob@x`; undefined if one is unclear. */
function bareAddresses(part: string): string[] | undefined {
	// Some mail programs write a comment after an address. It is dropped unless it says that the person declined.
	const uncommented = part.replace(/\s\(([^()@]*)\)$/, (whole, said: string) =>
		DECLINES.test(said) ? whole : '',
	);
	const words = uncommented.split(/\s+/).map(withoutScheme);
	const isAddress = (word: string) => (EMAIL.test(word) || FIRST_LAST.test(word)) && !isPlaceholder(word);
	return words.every(isAddress) ? words : undefined;
}

/** Whether a name before `<address>` may be another person, as in `a@x <b@x>`, or is cut. */
function isSomeoneElse(name: string, address: string): boolean {
	const own = [address, address.split('@')[0]].map((text) => text.toLowerCase());
	const isOther = (word: string) => /[@"]/.test(word) || FIRST_LAST.test(word);
	return name.split(/\s+/).some((word) => isOther(word) && !own.includes(word.toLowerCase()));
}

const withoutScheme = (text: string) => text.replace(/^mailto:/i, '');
