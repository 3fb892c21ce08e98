import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { codedError } from '../../shared/base/codedErrors';
import { ENTRY_TEXTS, FLAT, LINK_FIELDS } from '../../shared/exportApi/rows';
import type { Item } from '../../shared/node/item';
import { EXPORT_ERRORS } from '../exportErrors';

const output = {
	displayName: 'Fields to Return',
	name: 'output',
	type: 'options',
	options: [
		{
			name: 'Simplified',
			value: 'simplified',
			description: 'The most useful fields, without nested objects',
		},
		{ name: 'Raw', value: 'raw', description: 'Every field as the service sends it' },
		{ name: 'Selected Fields', value: 'selectedFields', description: 'Only the fields that you choose' },
	],
	default: 'simplified',
	description: 'Which fields each row has',
} as const satisfies INodeProperties;

/** The parameters that choose the fields of a row, of which the schemas describe the documented ones. */
export function fieldsProperties(documented: Record<string, { description?: string }>): INodeProperties[] {
	return [
		output,
		{
			displayName: 'Fields',
			name: 'fields',
			type: 'multiOptions',
			displayOptions: { show: { output: ['selectedFields'] } },
			options: Object.entries(documented).flatMap(([field, { description }]) => [
				fieldChoice(field, description),
				...[...FLAT].flatMap(([flat, path]) =>
					path[0] === field ? fieldChoice(flat, ENTRY_TEXTS[flat]?.description ?? path.join('.')) : [],
				),
			]),
			default: [],
			description: 'The fields to return besides the ID, in the order of the documentation',
		},
	];
}

/** A documented field as people call it, with its own name beside it if that is another. */
export function fieldChoice(field: string, description = ''): INodePropertyOptions {
	const unit = /\bseconds\b/i.test(description) ? ' (Seconds)' : '';
	const named = description === '' ? field : `${description} (${field})`;
	const word = WORDS.get(field);
	const name = word ? `${word}${unit} – ${field}` : `${labelOf(field)}${unit}`;
	return { name, value: field, description: named };
}

const WORDS = new Map([
	['user', 'Rep'],
	['userName', 'Rep Name'],
	['userEmail', 'Rep Email'],
	['stLink', 'Field Service Job Link'],
	['totalSold', 'Price'],
	['jobSummary', 'AI Summary'],
	['customSummary', 'Custom Insights'],
	['checklists', 'Checklist Scores'],
	['aiTrackers', 'Trackers Outside Checklists'],
	['repSpeedWPM', 'Rep Speed (Words per Minute)'],
	['averageScriptCompliance', 'Checklist Score'],
	['averageConversationLength', 'Talk Time'],
	['averageConversationDuration', 'Recording Duration'],
	['recordingCompliance', 'Recording Rate'],
	['talkRatioAverage', 'Rep Talk Ratio'],
	['longestMonologueAverage', 'Longest Rep Monologue'],
	['longestCustomerMonologueAverage', 'Longest Customer Monologue'],
]);

/** The label of a field by its name, e.g. `CRM Event ID` for `crmEventID`. */
function labelOf(field: string): string {
	return field
		.replace(/([a-z0-9])([A-Z])/g, '$1 $2')
		.replace(
			/\b(ai|crm|id|url)(s?)\b/gi,
			(_, acronym: string, plural: string) => acronym.toUpperCase() + plural,
		)
		.replace(/ (Of|Per|With)\b/g, (word) => word.toLowerCase())
		.replace(/^[a-z]/, (first) => first.toUpperCase());
}

/** The names of the fields that an item asks for; undefined for all. Throws CodedError for what is no list of names. */
export function chosenFields(item: Item, simplified: string[]): string[] | undefined {
	const choice = item.value(output);
	if (choice === 'raw') return undefined;
	if (choice === 'simplified') return simplified;
	const fields = item.parameter('fields');
	const isList = Array.isArray(fields) && fields.every((field) => typeof field === 'string');
	if (isList && fields.length > 0) return fields;
	throw codedError(EXPORT_ERRORS, 'fields_missing', {}, { field: 'Fields' });
}

/** The fields of each row, in the documented order; undefined for all. Those that are `kept` are always returned. */
export function fieldsToKeep(
	chosen: string[] | undefined,
	documented: string[],
	kept: string[] = [],
): string[] | undefined {
	if (chosen === undefined) return undefined;
	const wanted = new Set([...chosen, ...kept]);
	// A presigned link is useless without its expiry.
	if (LINK_FIELDS.some((link) => wanted.has(link))) wanted.add('urlsExpireAt');
	const placeOf = (field: string) => {
		const place = documented.indexOf(FLAT.get(field)?.[0] ?? field.split('.')[0]);
		return place === -1 ? documented.length : place;
	};
	return [...wanted].sort((one, other) => placeOf(one) - placeOf(other));
}

/** The chosen names that no documentation vouches for: rows can have them or not. */
export function undocumented(chosen: string[] | undefined, documented: string[]): string[] {
	const isKnown = (field: string) =>
		documented.includes(field) || documented.includes(FLAT.get(field)?.[0] ?? field);
	return chosen?.filter((field) => !isKnown(field)) ?? [];
}
