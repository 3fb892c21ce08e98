import type { INodeParameters } from 'n8n-workflow';
import { mappedByHand } from '../../support/columns';
import { automatic, byHand, CREATE, processingService, SENT } from './mapping';

// pairs.test.ts holds what becomes of the values.
describe('Create or Update', () => {
	const { run, bodies } = processingService();

	test('finds columns by the labels of the panel, unless one has the name of the field', async () => {
		const { event_id, user_email, title, ...rest } = CREATE;
		const labelled = { ...rest, 'Event - ID': event_id, rep_email: user_email, Title: title, Outcome: 'Won' };
		await run(automatic(), labelled);
		await run(byHand({ ...labelled, title: 'Own name' }));
		const sent = { ...SENT, result: 'Won' };
		expect(bodies()).toEqual([sent, { ...sent, title: 'Own name' }]);
	});

	test("reads mapped values itself, not by n8n's conversion of the fields' types", async () => {
		const value = { ...CREATE, start_time: '2026-07-01 09:00:00', attendee_emails: ['b@example.com'] };
		const types = { start_time: 'dateTime', attendee_emails: 'string' };
		const schema = Object.entries(types).map(([id, type]) => ({ id, type, displayName: id, display: true }));
		const columns = { ...mappedByHand(value), schema } as INodeParameters;
		await run(byHand({}, { columns, options: { timeZone: 'Europe/Berlin' } }));
		const sent = { start_time: '2026-07-01 07:00:00', attendee_emails: ['b@example.com'] };
		expect(bodies()).toMatchObject([sent]);
	});
});
