import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from '../../../shared/node/operation';
import { deleteAppointment } from '../../api';
import { eventIdProperty, readEventId, toPathSegment } from '../../mapping/eventId';
import { common, optionsProperty, readCommon } from '../../requestOptions';
import { compareItems, sentencesOf, type KeyedInput } from '../../warnings';

const missingIsDeleted = {
	displayName: 'Treat Missing as Deleted',
	name: 'missingIsDeleted',
	type: 'boolean',
	default: false,
	description: 'Whether an appointment that does not exist counts as deleted',
} as const satisfies INodeProperties;

interface DeleteInput extends KeyedInput {
	/** The event ID in the path. */
	pathSegment: string;
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
	read(item) {
		const key = readEventId(item);
		const tolerated = item.option(missingIsDeleted) ? [404] : [];
		return { ...readCommon(item), key, pathSegment: toPathSegment(key), tolerated };
	},
	...common,
	afterRead: (inputs) => compareItems(inputs, 'event_id_shared'),
	async execute(item, { key, pathSegment, tolerated, warnings }) {
		const { isInDoubt, ...response } = await deleteAppointment(item, pathSegment, tolerated);
		const existed = response.status !== 404 || isInDoubt;
		const said = sentencesOf({ ...warnings, delete_in_doubt: isInDoubt ? [key] : [] });
		return [{ json: { deleted: true, existed, event_id: key, ...response, warnings: said } }];
	},
};
