import type { INodeProperties } from 'n8n-workflow';
import type { Item } from '../../../shared/node/item';
import type { Operation } from '../../../shared/node/operation';
import { readColumns } from '../../mapping/columns';
import { readEventId } from '../../mapping/eventId';
import { mappingProperties, options } from '../../mapping/properties';
import { readsCancelled } from '../../mapping/status';
import { nameItem } from '../../mapping/values';
import { common } from '../../requestOptions';
import { sentencesOf } from '../../warnings';
import { readDeletion, remove, type DeleteInput } from './delete.operation';
import { readAppointment, upsert, type UpsertInput } from './upsert.operation';

/** Characters of an expression that are searched for columns. */
const MAX_EXPRESSION = 1000;

const status = {
	displayName: 'Status',
	name: 'status',
	type: 'string',
	default: '={{ $json.status }}',
	description:
		'A Cancelled Word deletes the appointment, another word books it. An unclear status is refused.',
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
		const columns = readColumns(item, statusColumns(item));
		const { event_id } = columns.values;
		nameItem(item, event_id);
		const given = item.parameter(status.name);
		const isCancelled = readsCancelled(given, status.displayName, item.value(cancelledWords));
		if (!isCancelled) return readAppointment(item, true, columns);
		// A cancelled row needs only its event ID.
		const deletion = readDeletion(item, readEventId(item, event_id), [404, 409]);
		return { ...deletion, isPreview: item.option(options.previewOnly) };
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

/** A column in an expression: `$json.State`, `$json["Visit status"]`. */
const COLUMN = /json(?:\??\.([\p{L}\p{N}_$]+)|(?:\?\.)?\[\s*["'`]([^"'`]*)["'`]\s*\])/gu;

/** The columns that the expression of Status reads, so that they are not named as unknown. */
function statusColumns({ context, index }: Item): string[] {
	const expression = context.getNodeParameter(status.name, index, '', { rawExpressions: true });
	return [...String(expression).slice(0, MAX_EXPRESSION).matchAll(COLUMN)].map(
		([, name, quoted]) => name ?? quoted,
	);
}
