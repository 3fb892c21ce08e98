import { upsertOperation } from '../../sending/upsertItems';

/** Creates or updates an appointment by its event ID (D2 § POST /custom/appointment). */
export const upsert = upsertOperation(
	{
		name: 'Create or Update',
		value: 'upsert',
		action: 'Create or update appointment',
		description: 'Create a new record, or update the current one if it already exists (upsert)',
	},
	true,
);
