import type { IExecuteFunctions } from 'n8n-workflow';
import {
	appointmentRun,
	DEFAULT_CONCURRENCY,
} from '../../../../nodes/ConversationIntelligenceAppointments/sending/appointmentRun';
import type { Item } from '../../../../nodes/shared/node/item';

test('four items run for each parallel request, so that those waiting for a retry hold up no other', () => {
	const execute = async () => await Promise.resolve({ warnings: [] });
	const run = appointmentRun({} as IExecuteFunctions, [], () => ({ eventId: 'crm-1', execute }));
	run.prepare({ option: (description: { default: unknown }) => description.default } as unknown as Item);
	expect(run.concurrency).toBe(4 * DEFAULT_CONCURRENCY);
});
