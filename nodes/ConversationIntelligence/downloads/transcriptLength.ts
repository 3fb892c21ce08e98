import type { INodeProperties } from 'n8n-workflow';
import type { Item } from '../../shared/node/item';

/** How much of a transcript an agent's model gets: an hour of talk has about 50,000 characters. */
const property = {
	displayName: 'Max Transcript Length',
	name: 'maxTranscriptLength',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 20_000,
	description: 'Characters of each transcript that the model gets; the rest is cut',
} as const satisfies INodeProperties;

/** The parameter for a transcript as text, which only agents have. */
export function transcriptLengthProperty(shownWith: Record<string, [string | boolean]>): INodeProperties {
	return { ...property, displayOptions: { show: { '@tool': [true], ...shownWith } } };
}

/**
 * How many characters of a transcript to return.
 *
 * @returns Infinity unless an agent asks
 * @throws CodedError for anything but a whole number from 1
 */
export function readTranscriptLength(item: Item): number {
	if (!item.isTool) return Infinity;
	return item.value(property);
}
