import type { INodeProperties } from 'n8n-workflow';
import { startUpserts } from '../../sending/upsertItems';
import type { Operation } from '../../../shared/operation';
import { mappingProperties } from '../../mapping/properties';

const unknownIdNotice: INodeProperties = {
	displayName:
		'Needs only Event ID and User Email. The service decides by the Event ID: it creates an appointment when it does not know the ID.',
	name: 'unknownIdNotice',
	type: 'notice',
	default: '',
};

/** Sends an update, which needs less than a new appointment (D2 § Rules, 3). The service still decides what it does. */
export const update: Operation = {
	option: {
		name: 'Update',
		value: 'update',
		action: 'Update an appointment',
		description: 'Change some fields of an appointment, leaving the others unchanged',
	},
	properties: [unknownIdNotice, ...mappingProperties],
	start: (context) => startUpserts(context, false),
};
