import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from '../../../shared/node/operation';
import { readColumns } from '../../mapping/columns';
import { readEventId } from '../../mapping/eventId';
import { mappingProperties, options } from '../../mapping/properties';
import { fieldError, isUnset, readText } from '../../mapping/values';
import { common } from '../../requestOptions';
import { sentencesOf } from '../../warnings';
import { readDeletion, remove, type DeleteInput } from './delete.operation';
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

/** Creates or updates an appointment, or deletes it if its row is cancelled; the last row of an event ID wins. */
export const sync: Operation<UpsertInput | (DeleteInput & Pick<UpsertInput, 'isPreview'>)> = {
	option: {
		name: 'Sync Rows',
		value: 'sync',
		action: 'Sync rows',
		description: 'Create or update appointments and delete the cancelled ones, by a status',
	},
	properties: [status, cancelledWords, ...mappingProperties],
	read(item) {
		const given = item.parameter(status.name);
		const word = isUnset(given) ? '' : readText(given, status.displayName);
		const words = item.value(cancelledWords).split(',').map(folded).filter(Boolean);
		// Without any, a cancelled row would be booked.
		if (words.length === 0) throw fieldError('field_missing', cancelledWords.displayName);
		if (words.includes(folded(word))) {
			// A cancelled row needs only its event ID.
			const deletion = readDeletion(item, readEventId(item, readColumns(item).values.event_id), [404, 409]);
			return { ...deletion, isPreview: item.option(options.previewOnly) };
		}
		const input = readAppointment(item, true, [status.name]);
		if (word === '') input.warnings.status_missing = [status.name];
		return input;
	},
	...common,
	async execute(item, input) {
		if ('body' in input) {
			const [{ json }] = await upsert.execute(item, input);
			return [{ json: { action: 'booked', ...json } }];
		}
		const { key: event_id, isPreview, warnings } = input;
		if (isPreview) {
			return [{ json: { action: 'deleted', event_id, preview: true, warnings: sentencesOf(warnings) } }];
		}
		const [{ json }] = await remove.execute(item, input);
		const { deleted, existed, ...rest } = json;
		const action = !deleted ? 'kept' : existed ? 'deleted' : 'unchanged';
		return [{ json: { action, ...rest } }];
	},
};

/** Without letter case, outer spaces and the second spelling of "canceled". */
const folded = (word: string) => word.trim().toLowerCase().replace('cancelled', 'canceled');
