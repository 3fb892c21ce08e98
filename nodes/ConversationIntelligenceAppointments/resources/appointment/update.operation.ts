import { startUpserts } from '../../sending/upsertItems';
import type { Operation } from '../../../shared/node/operation';
import { mappingProperties } from '../../mapping/properties';

/** Changes an appointment, with fewer required fields than for a new one (D2 § Rules, 3). */
export const update: Operation = {
	option: {
		name: 'Update',
		value: 'update',
		action: 'Update appointment',
		description: 'Change some fields of an appointment',
	},
	properties: mappingProperties,
	start: (context) => startUpserts(context, false),
};
