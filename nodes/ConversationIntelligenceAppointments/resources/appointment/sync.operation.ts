import type { INodeProperties } from 'n8n-workflow';
import type { Item } from '../../../shared/node/item';
import type { Operation } from '../../../shared/node/operation';
import { deleteAppointment } from '../../api';
import { readColumns } from '../../mapping/columns';
import { readEventId, toPathSegment } from '../../mapping/eventId';
import { mappingProperties, options } from '../../mapping/properties';
import { isUnset, readText } from '../../mapping/values';
import { common, readCommon } from '../../requestOptions';
import { compareItems, sentencesOf, type KeyedInput } from '../../warnings';
import { readAppointment, upsert, type UpsertInput } from './upsert.operation';

const status = {
	displayName: 'Status',
	name: 'status',
	type: 'string',
	default: '={{ $json.status }}',
	description: 'The status of the row. Any but the Cancelled Words creates or updates the appointment.',
} as const satisfies INodeProperties;

const cancelledWords = {
	displayName: 'Cancelled Words',
	name: 'cancelledWords',
	type: 'string',
	default: 'cancelled',
	placeholder: 'e.g. cancelled, no longer needed',
	description: 'Each status that deletes the appointment, separated by commas. Case does not matter.',
} as const satisfies INodeProperties;

/** A cancelled row needs only its event ID. */
interface CancelledInput extends KeyedInput {
	/** The event ID in the path. */
	pathSegment: string;
	isPreview: boolean;
}

/** Creates or updates an appointment, or deletes it if its row is cancelled; the last row of an event ID wins. */
export const sync: Operation<UpsertInput | CancelledInput> = {
	option: {
		name: 'Sync Rows',
		value: 'sync',
		action: 'Sync rows',
		description: 'Create or update appointments, and delete the cancelled ones, by a status',
	},
	properties: [status, cancelledWords, ...mappingProperties],
	read(item) {
		const given = item.parameter(status.name);
		const word = isUnset(given) ? '' : readText(given, status.displayName);
		if (isCancelled(word, item.value(cancelledWords))) return readCancelled(item);
		const input = readAppointment(item, true, [status.name]);
		if (word === '') input.warnings.status_missing = [status.name];
		return input;
	},
	...common,
	afterRead: (inputs) => compareItems(inputs, 'event_id_shared'),
	async execute(item, input) {
		const result =
			'body' in input
				? { action: 'booked', ...(await upsert.execute(item, input))[0].json }
				: await deleteCancelled(item, input);
		return [{ json: result }];
	},
};

function isCancelled(word: string, words: string): boolean {
	return word !== '' && words.split(',').map(folded).includes(folded(word));
}

/** Without letter case, outer spaces and the second spelling of "canceled". */
const folded = (word: string) => word.trim().toLowerCase().replace('cancelled', 'canceled');

function readCancelled(item: Item): CancelledInput {
	const key = readEventId(item, readColumns(item).values.event_id);
	const isPreview = item.option(options.previewOnly);
	return { ...readCommon(item), key, pathSegment: toPathSegment(key), isPreview };
}

/** Deletes what is there, but never an appointment with a recording (D2-DEL-06). */
async function deleteCancelled(item: Item, { key, pathSegment, isPreview, warnings }: CancelledInput) {
	if (isPreview) return { action: 'deleted', event_id: key, preview: true, warnings: sentencesOf(warnings) };
	const { isInDoubt, ...response } = await deleteAppointment(item, pathSegment, [404, 409]);
	const isKept = response.status === 409;
	const existed = response.status !== 404 || isInDoubt;
	const said = sentencesOf({
		...warnings,
		delete_in_doubt: isInDoubt ? [key] : [],
		kept_with_recording: isKept ? [key] : [],
	});
	const action = isKept ? 'kept' : existed ? 'deleted' : 'unchanged';
	return { action, event_id: key, ...response, warnings: said };
}
