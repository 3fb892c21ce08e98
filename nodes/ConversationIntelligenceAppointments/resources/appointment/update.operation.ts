import { upsertOperation } from '../../sending/upsertItems';

/** Changes an appointment, with fewer required fields than for a new one (D2 § Rules, 3). */
export const update = upsertOperation(
	{
		name: 'Update',
		value: 'update',
		action: 'Update appointment',
		description: 'Change some fields of an appointment',
	},
	false,
);
