import { readAppointment, upsert } from './upsert.operation';

/** Changes an appointment, with fewer required fields than for a new one (D2 § Rules, 3). */
export const update: typeof upsert = {
	...upsert,
	option: {
		name: 'Update',
		value: 'update',
		action: 'Update appointment',
		description: 'Change some fields of an appointment',
	},
	read: (item) => readAppointment(item, false),
};
