import { startUpserts } from '../../sending/upsertItems';
import type { Operation } from '../../../shared/node/operation';
import { mappingProperties } from '../../mapping/properties';

/** Creates or updates an appointment by its event ID (D2 § POST /custom/appointment). */
export const upsert: Operation = {
	option: {
		name: 'Create or Update',
		value: 'upsert',
		action: 'Create or update appointment',
		description: 'Create a new record, or update the current one if it already exists (upsert)',
	},
	properties: mappingProperties,
	start: (context) => startUpserts(context, true),
};
