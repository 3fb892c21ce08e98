import type { Resource } from '../../../shared/operation';
import { deleteAppointment } from './delete.operation';
import { matchConversation } from './match.operation';

export const appointment: Resource = {
	option: { name: 'Appointment', value: 'appointment' },
	operations: [deleteAppointment, matchConversation],
};
