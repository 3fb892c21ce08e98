import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Sandbox } from '../../../sandbox';
import { startAppointmentService, type AppointmentService } from './appointmentService';

describe('Conversation Intelligence Appointments with a service that enforces D2', () => {
	let testService: AppointmentService;
	let sandbox: Sandbox;
	let owner: string;
	let colleague: string;

	beforeAll(async () => {
		testService = await startAppointmentService();
		({
			sandbox,
			people: [owner, colleague],
		} = testService);
	});
	afterAll(async () => await testService.close());

	const run = async (parameters: INodeParameters, rows?: IDataObject[]) =>
		await testService.run(parameters, rows);
	const upsert = async (rows: IDataObject[], more?: INodeParameters) => await testService.upsert(rows, more);
	const appointment = (eventId: string, more?: IDataObject) => testService.appointment(eventId, more);
	const stored = (eventId: string) => testService.stored(eventId);

	// D2-APPT-04, D2-APPT-05, D2-LIM-02, D2-DOES-01
	test('creates with times in UTC, then updates only what is set', async () => {
		const created = await upsert([appointment('a-1', { result: 'Sold', price: '1200.5' })]);
		expect(created.error).toBeUndefined();
		const first = stored('a-1');
		expect(first).toStrictEqual({
			id: expect.any(String),
			organizationId: expect.any(String),
			createdAt: expect.any(String),
			updatedAt: expect.any(String),
			hasRecording: false,
			event_id: 'a-1',
			user_email: owner,
			start_time: '2026-03-01 15:30:00',
			end_time: '2026-03-01 16:30:00',
			title: 'Roof inspection',
			customer: { id: 'c-1', name: 'Blue Door Ltd' },
			result: 'Sold',
			price: 1200.5,
			attendees: [owner],
		});

		const updated = await upsert(
			[{ event_id: 'a-1', user_email: owner, title: '', price: 900, result: '' }],
			{ operation: 'update' },
		);
		expect(updated.error).toBeUndefined();
		expect(stored('a-1')).toStrictEqual({ ...first, price: 900, updatedAt: expect.any(String) });
	});

	// D2-RULE-02
	test('finds the outcome of a result with spaces around it, and creates none from spaces alone', async () => {
		const outcomes = sandbox.control.outcomes();
		const results = [` ${outcomes[0]} \n`, '', ' \n'];
		const { error } = await upsert(
			results.map((result, index) => appointment(`result-${index}`, { result })),
		);
		expect(error).toBeUndefined();
		expect(sandbox.control.outcomes()).toEqual(outcomes);
		expect(stored('result-0')?.result).toBe(outcomes[0]);
	});

	// D2-ATT-05
	test('replaces the attendees with each update, and keeps only the owner without a list', async () => {
		await upsert([appointment('a-2', { attendee_emails: `${owner}, ${colleague.toUpperCase()}` })]);
		expect(stored('a-2')?.attendees).toEqual([owner, colleague]);
		await upsert([{ event_id: 'a-2', user_email: owner, result: 'Sold' }], { operation: 'update' });
		expect(stored('a-2')?.attendees).toEqual([owner]);
	});

	// D2-APPT-02, D2-APPT-03, D2-ATT-03
	test('stores the same attendees from any form of the list', async () => {
		const list = [owner, colleague];
		const calendar = [{ email: owner, self: true }, { emailAddress: { address: colleague, name: 'C' } }];
		const mail = `"Doe, Jane" <${owner}>, mailto:${colleague}`;
		const forms = [list, JSON.stringify(list), list.join(','), list.join(' ;\n'), calendar, mail];
		const user_email = `Ava Adams <${owner}>`;
		const rows = forms.map((attendee_emails, index) =>
			appointment(`form-${index}`, { attendee_emails, user_email }),
		);
		expect((await upsert(rows)).error).toBeUndefined();
		for (const index of forms.keys()) expect(stored(`form-${index}`)?.attendees).toEqual(list);
	});

	// D2-BODY-04, D2-ERR-17
	test('quotes the service when no attendee is a user, and leaves the appointment unchanged', async () => {
		await upsert([appointment('a-3')]);
		const before = stored('a-3')!;
		const { error } = await upsert([
			appointment('a-3', { user_email: 'nobody@elsewhere.example', title: 'New' }),
		]);
		expect(error?.message).toContain('No attendee is a user of the service');
		expect(error?.description).toMatch(
			/Status 422: "User email is not in .*Repeating does not help.*Attendee Emails \(\[\]\).*User Email \("nobody@elsewhere\.example"\)/,
		);
		expect(stored('a-3')).toStrictEqual(before);
	});

	// D2-MATCH-01, D2-DEL-06, D2-ERR-16
	test('matches a conversation, after which its appointment cannot be deleted', async () => {
		await upsert([appointment('a-4')]);
		const [conversationId] = sandbox.control.conversationIds(0, 1);
		const match = { operation: 'match', eventId: 'a-4', conversationId };
		for (const attempt of [1, 2]) {
			const matched = await run(match);
			expect([attempt, matched.items[0]?.json]).toEqual([
				attempt,
				{
					matched: true,
					event_id: 'a-4',
					conversation_id: conversationId,
					status: 200,
					response: 'Successfully matched conversation to event',
					warnings: [],
				},
			]);
		}
		const deleted = await run({ operation: 'delete', eventId: 'a-4' });
		expect(deleted.error?.message).toContain('has a linked recording and cannot be deleted');
		expect(stored('a-4')?.hasRecording).toBe(true);
	});

	// D2-ERR-14, D2-ERR-19, D2-BODY-07, D2-BODY-08, D2-BODY-10, D2-BODY-11
	test('says why a match is refused', async () => {
		await upsert([appointment('a-5')]);
		const [withoutRecording, gone] = sandbox.control.conversationIds(1, 2);
		sandbox.control.setRecording(withoutRecording, 'none');
		sandbox.control.setRecording(gone, 'missing');
		const unknown = '00000000-0000-4000-8000-000000000000';
		const messages = [];
		for (const [eventId, conversationId] of [
			['absent', gone],
			['a-5', unknown],
			['a-5', withoutRecording],
			['a-5', gone],
		]) {
			const { error } = await run({ operation: 'match', eventId, conversationId });
			messages.push(error?.message);
		}
		expect(messages).toEqual([
			'No appointment has this Event ID (Event ID "absent")',
			'No conversation has this Conversation ID (Event ID "a-5")',
			'The conversation has no recording to link (Event ID "a-5")',
			'The conversation\'s recording could not be found to link (Event ID "a-5")',
		]);
	});

	// D2-AUTH-01, D2-AUTH-02, D2-AUTH-03
	test('says what is wrong with the key', async () => {
		for (const [key, message] of [
			['unknown-key', 'The service refuses the API key (Event ID "a-1")'],
			[sandbox.keys.unmapped, 'The service cannot process the request (Event ID "a-1")'],
		]) {
			const refused = await testService.run({ operation: 'delete', eventId: 'a-1' }, [{}], key);
			expect(refused.error?.message).toBe(message);
		}
	});

	// D2-DEL-01
	test('deletes any event ID that it created', async () => {
		// The sandbox refuses a blank path parameter, which D2 leaves open.
		const eventId = fc
			.string({ unit: 'binary', minLength: 1, maxLength: 24 })
			.filter((id) => id.trim() !== '' && id !== '.' && id !== '..');
		const ids = [
			...new Set([...fc.sample(eventId, { numRuns: 60, seed: 7 }), 'a/b c+d%e', '%2F', '🎉', '..a']),
		];
		const before = sandbox.control.appointments();
		const created = await upsert(ids.map((id) => appointment(id)));
		expect([created.error, created.items.length]).toEqual([undefined, ids.length]);
		const deleted = await run(
			{ operation: 'delete', eventId: '={{ $json.id }}' },
			ids.map((id) => ({ id })),
		);
		expect([deleted.error, deleted.items.length]).toEqual([undefined, ids.length]);
		expect(sandbox.control.appointments()).toStrictEqual(before);
	});
});
