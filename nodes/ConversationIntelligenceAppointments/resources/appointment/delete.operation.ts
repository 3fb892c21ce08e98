import type { INodeProperties } from 'n8n-workflow';
import type { Item } from '../../../shared/node/item';
import type { Operation } from '../../../shared/node/operation';
import { deleteAppointment } from '../../api';
import { eventIdProperty, readEventId } from '../../mapping/eventId';
import { fieldError } from '../../mapping/values';
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
	async execute(item, { key, tolerated, warnings }) {
		const { isInDoubt, ...response } = await deleteAppointment(item, key, tolerated);
		const isGone = response.status === 404;
		const existed = !isGone || isInDoubt;
		const deleted = response.status !== 409;
		if (isGone && isInDoubt) warnings.delete_in_doubt = [key];
		if (!deleted) warnings.kept_with_recording = [key];
		return [{ json: { deleted, existed, event_id: key, ...response, warnings: sentencesOf(warnings) } }];
	},
};

/** Refuses the few event IDs that cannot be part of an address; any other is deleted (D2-DEL-01). */
export function readDeletion(item: Item, key: string, tolerated: number[]): DeleteInput {
	const deletion = { ...readCommon(item), key, tolerated };
	// URL parsers treat these two as path steps, even encoded; half of a surrogate pair has no UTF-8.
	if (!/^\.\.?$|\p{Surrogate}/u.test(key)) return deletion;
	throw fieldError('event_id_unsendable', eventIdProperty.displayName, key);
}
