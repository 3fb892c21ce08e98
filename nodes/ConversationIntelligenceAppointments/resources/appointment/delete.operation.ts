import type { INodeProperties } from 'n8n-workflow';
import type { Item } from '../../../shared/node/item';
import type { Operation } from '../../../shared/node/operation';
import { deleteAppointment } from '../../api';
import { eventIdProperty, readEventId, toPathSegment } from '../../mapping/eventId';
import { common, optionsProperty, readCommon } from '../../requestOptions';
import { sentencesOf, type KeyedInput } from '../../warnings';

const missingIsDeleted = {
	displayName: 'Treat Missing as Deleted',
	name: 'missingIsDeleted',
	type: 'boolean',
	default: false,
	description: 'Whether an appointment that does not exist counts as deleted',
} as const satisfies INodeProperties;

export interface DeleteInput extends KeyedInput {
	/** The event ID in the path. */
	pathSegment: string;
	/** Refusals that are no failure: 404 without the appointment, 409 because it has a recording. */
	tolerated: number[];
}

/** Deletes an appointment (D2 § DELETE /custom/appointment/{id}). */
export const remove: Operation<DeleteInput> = {
	option: {
		name: 'Delete',
		value: 'delete',
		action: 'Delete appointment',
		description: 'Delete an appointment that has no linked recording',
	},
	properties: [eventIdProperty, optionsProperty([missingIsDeleted])],
	read: (item) => readDeletion(item, readEventId(item), item.option(missingIsDeleted) ? [404] : []),
	...common,
	async execute(item, { key, pathSegment, tolerated, said }) {
		const { isInDoubt, ...response } = await deleteAppointment(item, pathSegment, tolerated);
		const existed = response.status !== 404 || isInDoubt;
		const deleted = response.status !== 409;
		const more = sentencesOf({
			delete_in_doubt: isInDoubt ? [key] : [],
			kept_with_recording: deleted ? [] : [key],
		});
		return [{ json: { deleted, existed, event_id: key, ...response, warnings: [...said, ...more] } }];
	},
};

export function readDeletion(item: Item, key: string, tolerated: number[]): DeleteInput {
	return { ...readCommon(item), key, pathSegment: toPathSegment(key), tolerated };
}
