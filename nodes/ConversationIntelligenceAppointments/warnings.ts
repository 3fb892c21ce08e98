import { firstFew, quoted } from '../shared/base/text';

/**
 * What a user should know about an item that is sent, by code. `{names}` are the fields, columns or IDs that it is about,
 * `{items}` the items of a hint, e.g. ` [Item 1, 3]`.
 */
const WARNINGS = {
	columns_unknown:
		'Not sent, because appointments have no such field: {names}. Rename these columns, or send them in custom_fields.',
	media_url_missing: 'Not sent, because media_url is empty: {names}.',
	columns_doubled:
		'Not sent, because another column gives another value for the same field: {names}. Keep one column for each field, or map the fields by hand.',
	customer_unreadable:
		'The customer is not sent, because it is not an object. Send the whole customer, as an object or in columns such as customer_id: parts left out may be erased.',
	attendees_missing:
		'Attendee Emails is empty{items}: the owner (Rep Email) is the only attendee. Send everyone who attends, or turn on Owner Only.',
	attendees_left_out: 'Not sent as attendees: {names}.',
	zone_assumed:
		"Read in the workflow's time zone, for lack of an offset: {names}. Add an offset, or choose Options → Time Zone.",
	customer_incomplete:
		'The customer is sent without {names}: on an existing appointment, the service may erase them. Send the whole customer to keep them.',
	end_not_after_start: 'End Time is not after Start Time{items}. Check both times: they are sent unchanged.',
	event_id_shared:
		'Several items have the same Event ID: {names}. Check the expression of the ID, unless they are the same appointment: the last one wins.',
	conversation_shared:
		'Several Event IDs are matched with the same conversation: {names}. Check the expressions of both IDs: only the last link stays.',
	kept_with_recording: 'The appointment has a linked recording, so it is kept.',
	media_maybe_twice:
		"The recording may have been ingested twice: an earlier attempt got no clear response, so it was sent again. Check your service's web app: {names}.",
	delete_in_doubt:
		'An earlier attempt got no clear response, and this one found no appointment, so it counts as deleted.',
	match_unconfirmed:
		'Matched, but the service returned an unexpected response: see "response". Check your service\'s web app.',
};

type Code = keyof typeof WARNINGS;

/** The warnings about one item: what each is about. An empty list is none. */
export type Warnings = Partial<Record<Code, string[]>>;

/** What the comparison of all items needs to know about one. */
export interface KeyedInput {
	index: number;
	/** The ID of what the item writes. */
	key: string;
	/** What it writes there, if the same from another item overwrites nothing. */
	value?: string;
	warnings: Warnings;
}

export const CODES = Object.keys(WARNINGS) as Code[];

/** The warnings about one item, as its output and its hints say them. */
export function sentencesOf(warnings: Warnings, items = ''): string[] {
	return CODES.flatMap((code) => {
		const names = warnings[code] ?? [];
		const values: Record<string, string> = { names: firstFew(names), items };
		return names.length > 0 ? [WARNINGS[code].replace(/\{(\w+)\}/g, (_, name: string) => values[name])] : [];
	});
}

/**
 * Warns of items with the same key, e.g. `crm-` from a template with a missing part: they overwrite each other.
 * @param code of that warning
 * @returns one hint for each code, about all items that have such a warning; a single item is not named
 */
export function compareItems(inputs: KeyedInput[], code: Code): string[] {
	const written = new Map(inputs.map(({ key }) => [key, new Set<string | number>()]));
	for (const { key, value, index } of inputs) written.get(key)!.add(value ?? index);
	for (const { key, warnings } of inputs) {
		const count = written.get(key)!.size;
		if (count > 1) warnings[code] = [`${quoted(key)} (${count})`];
	}
	return CODES.flatMap((one) => {
		const warned = inputs.filter(({ warnings }) => warnings[one]?.length);
		const names = new Set(warned.flatMap(({ warnings }) => warnings[one] ?? []));
		const items = firstFew(warned.map(({ index }) => index));
		return sentencesOf({ [one]: [...names] }, inputs.length > 1 ? ` [Item ${items}]` : '');
	});
}

/** How the values of one item are read, and what there is to know about them. */
export interface Reading {
	/** IANA name: zone of times without an offset. */
	zone: string;
	isZoneChosen: boolean;
	warnings: Warnings;
}
