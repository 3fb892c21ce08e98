/** Warnings of items that are sent: in their output, as hints, and in the error if another item fails. */
import { firstFew, quoted } from '../shared/base/text';
import { itemLabel } from '../shared/node/item';

/** `{names}` are fields, columns or IDs of an item, `{items}` the items of a hint. */
const WARNINGS = {
	preview_only: 'Nothing was sent, because Preview Only is on{items}. Remove the option to send.',
	columns_unknown:
		'These columns were not sent, because an appointment has no field with that name: {names}. Rename the columns, or send them in custom_fields.',
	media_url_missing: 'These fields were not sent, because media_url is empty: {names}.',
	columns_doubled:
		'These columns were not sent, because another column has a different value for the same field: {names}. Keep one column for each field, or map the fields by hand.',
	attendees_missing:
		'Attendee Emails is empty, so the rep is the only attendee{items}. Map everyone who attends, or turn on Rep as Only Attendee under Options.',
	attendees_left_out: 'Not sent as attendees: {names}.',
	zone_assumed:
		"No time zone was given, so the workflow's was used: {names}. Map a time with an offset, or choose Options → Time Zone.",
	zone_not_mapped: 'The time zone in the input was not mapped: {names}.',
	customer_incomplete:
		'The customer is sent without {names}{items}. The service may erase these fields of an existing appointment, so send the whole customer.',
	end_not_after_start:
		'End Time is not after Start Time: {names}. Check both times: they are sent unchanged.',
	event_id_shared:
		'Several items have the same Event ID, so the last one overwrites the others: {names}. Check the expression of the ID, unless they are the same appointment.',
	conversation_shared:
		'Several Event IDs are matched with the same conversation, so only the last link stays: {names}. Check the expressions of both IDs.',
	kept_with_recording: 'The appointment has a linked recording, so it is kept{items}.',
	media_maybe_twice:
		"The recording may be there twice, because it was sent again after an unclear response: {names}. Check your service's web app.",
	media_repeated:
		'If another item fails, Retry On Fail sends recordings again: {names}. Turn it off, because the node itself retries, and set On Error to Continue (using error output).',
	delete_in_doubt:
		'The appointment is treated as deleted, because an earlier attempt got an unclear response and this one found no appointment{items}.',
	response_unexpected:
		'The response is not a confirmation of the service{items}: see "response". Check in its web app whether the request was applied.',
};

type Code = keyof typeof WARNINGS;

/** The names in each warning about one item; without names, there is no warning. */
export type Warnings = Partial<Record<Code, string[]>>;

/** `key` is the ID of the record that an item writes. Items with the same `key` and `value` do not conflict. */
export type WarnedInput = { index: number; key?: string; value?: string; warnings: Warnings };

export type KeyedInput = WarnedInput & { key: string };

export const WARNING_CODES = Object.keys(WARNINGS) as Code[];

/** The warnings about one item, as its output and its hints say them. */
export function sentencesOf(warnings: Warnings, items = ''): string[] {
	return WARNING_CODES.filter((code) => warnings[code]?.length).map((code) => {
		const values: Record<string, string> = { names: firstFew(warnings[code]!), items };
		return WARNINGS[code].replace(/\{(\w+)\}/g, (_, name: string) => values[name]);
	});
}

/** Warns by `code` of items with the same key, e.g. `crm-` from a template with a missing part: they overwrite each other. */
export function warnOfShared(inputs: WarnedInput[], code: Code): void {
	const ofKey = new Map(inputs.map(({ key }) => [key, [] as WarnedInput[]]));
	for (const input of inputs) ofKey.get(input.key)!.push(input);
	for (const [key, same] of ofKey) {
		if (key === undefined || new Set(same.map(({ value, index }) => value ?? index)).size === 1) continue;
		const names = [`${quoted(key)} [Item ${firstFew(same.map(({ index }) => index))}]`];
		for (const { warnings } of same) warnings[code] = names;
	}
}

/** The warnings about several items: one sentence for each code, which names them. */
export function warningsOf(inputs: WarnedInput[]): string[] {
	return WARNING_CODES.flatMap((code) => {
		const warned = inputs.filter(({ warnings }) => warnings[code]?.length);
		if (warned.length === 0) return [];
		const names = new Set(warned.flatMap(({ warnings }) => warnings[code]!));
		const items = firstFew(warned, ({ index, key, value = key }) => itemLabel(index, value));
		return sentencesOf({ [code]: [...names] }, ` (${items})`);
	});
}
