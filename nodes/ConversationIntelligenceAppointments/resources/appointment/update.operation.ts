import { startUpserts } from '../../sending/upsertItems';
import type { Operation } from '../../../shared/node/operation';
import { mappingProperties, notice } from '../../mapping/properties';

const unknownIdNotice = notice(
	'unknownIdNotice',
	'A known appointment needs only Event ID and User Email; a new one needs all fields of Create or Update.',
);

/** Changes an appointment, with fewer required fields than for a new one (D2 § Rules, 3). */
export const update: Operation = {
	option: {
		name: 'Update',
		value: 'update',
		action: 'Update appointment',
		description: 'Change some fields of an appointment',
	},
	properties: [unknownIdNotice, ...mappingProperties],
	start: (context) => startUpserts(context, false),
};
