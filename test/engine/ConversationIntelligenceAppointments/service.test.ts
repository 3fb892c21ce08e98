import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { createEngine } from '../../support/engine';
import { startAppointmentService, type AppointmentService } from './appointmentService';

const CONVERSATION_ID = '3f2b8c1e-5d7a-4c66-9b1f-0a2d4e6f8a10';
const update: INodeParameters = { operation: 'update' };
const remove = (eventId: string): INodeParameters => ({ operation: 'delete', eventId });
const match = (eventId: string, conversationId: string): INodeParameters => ({
	operation: 'match',
	eventId,
	conversationId,
});

describe('Appointments at the service', () => {
	let testService: AppointmentService;
	let owner: string;
	let colleague: string;

	beforeAll(async () => {
		testService = await startAppointmentService();
		[owner, colleague] = testService.people;
	});
	afterAll(async () => await testService.close());

	const book = async (eventId: string, more: IDataObject = {}) => {
		expect((await testService.upsert([testService.appointment(eventId, more)])).error).toBeUndefined();
		return { ...testService.stored(eventId) } as IDataObject;
	};
	const conversation = async (id: string) => {
		const engine = await createEngine({
			conversationExportApi: {
				baseUrl: testService.sandbox.exportUrl,
				apiKey: testService.sandbox.keys.organization,
			},
		});
		const { items } = await engine.runNode('conversationIntelligence', {
			resource: 'conversation',
			operation: 'get',
			output: 'raw',
			conversationId: id,
		});
		return items[0].json;
	};
	/** Everything that a refused request could change. */
	const everything = () =>
		JSON.stringify([testService.sandbox.control.appointments(), testService.sandbox.control.outcomes()]);
	const received = () => testService.sandbox.control.debugger(testService.sandbox.keys.organization).length;

	// D2-DOES-03, D2-STATE-03, D2-DEL-01..02
	test('a delete by Event ID removes the whole appointment', async () => {
		await book('gone/1 ü');
		const { items } = await testService.run(remove('gone/1 ü'));
		expect(items[0].json).toMatchObject({ deleted: true, event_id: 'gone/1 ü', status: 200 });
		expect(testService.stored('gone/1 ü')).toBeUndefined();
	});

	// D2-STATE-04, D2-DEL-06, D2-ERR-16
	test('a linked appointment is not deleted, and after one request the message says that repeating does not help', async () => {
		const [conversationId] = testService.sandbox.control.conversationIds(10, 1);
		await book('linked');
		await testService.run(match('linked', conversationId));
		testService.sandbox.requests.reset();
		const { error } = await testService.run(remove('linked'));
		expect(error?.message).toMatch(/linked recording/);
		expect(error?.description).toMatch(/Status 409.*Repeating does not help/);
		expect(testService.sandbox.requests.list()).toHaveLength(1);
		expect(testService.stored('linked')).toBeDefined();
	});

	// D2-STATE-02, D2-ATT-04..05, D2-RULE-03
	test('an update keeps omitted fields, except that only the owner attends without a list of attendees', async () => {
		const attendee_emails = [owner, colleague];
		const before = await book('kept', { attendee_emails, result: 'Sold', price: 12, lead_source: 'Web' });
		expect(before.attendees).toEqual(attendee_emails);
		const { error } = await testService.upsert(
			[{ event_id: 'kept', user_email: owner, title: 'New' }],
			update,
		);
		expect(error).toBeUndefined();
		const after = { ...testService.stored('kept') };
		expect(after).toEqual({ ...before, title: 'New', attendees: [owner], updatedAt: after.updatedAt });
	});

	// D2-ATT-02..03, D2-APPT-03
	test('attendees are found in any letter case, also by first and last name, and each of them once', async () => {
		const [prefix] = colleague.split('@');
		expect(prefix).toMatch(/^[^.]+\.[^.]+$/);
		const attendee_emails = ` ${owner.toUpperCase()} , ${prefix}, ${colleague}, nobody@elsewhere.example`;
		expect((await book('aliases', { attendee_emails })).attendees).toEqual([owner, colleague]);
	});

	// D2-STATE-06, D2-EVENT-03, D2-ATT-03..04, D2-ERR-17
	test('refused requests change and store nothing, as the message says', async () => {
		await book('same');
		const before = [everything(), received()];
		const nobody = 'nobody@elsewhere.example';
		for (const change of [{}, { attendee_emails: [nobody] }]) {
			const values = { title: 'New', result: 'Never seen', ...change };
			const { error, items } = await testService.upsert(
				[{ event_id: 'same', user_email: nobody, ...values }],
				update,
			);
			expect(items).toEqual([]);
			expect(error?.description).toMatch(/Status 422.*The appointment is unchanged/);
		}
		expect((await testService.run(match('absent', CONVERSATION_ID))).error?.message).toMatch(
			/No appointment/,
		);
		expect([everything(), received()]).toEqual(before);
	});

	// D2-STATE-05, D2-MATCH-01..02, D2-DOES-04
	test('a match moves the link of a conversation and changes nothing else, even when it is sent twice', async () => {
		const [id] = testService.sandbox.control.conversationIds(20, 1);
		const links = ['transcriptUrl', 'audioUrl', 'urlsExpireAt'];
		const ofTheEvent = ['crmEventID', 'title', 'jobNumber', 'stLink', 'totalSold', 'outcome', 'customFields'];
		const rest = (row: IDataObject) =>
			Object.entries(row).filter(([field]) => ![...links, ...ofTheEvent, 'customer'].includes(field));
		await book('first');
		await book('second');
		const [before, booked] = [await conversation(id), everything()];
		for (const eventId of ['first', 'first', 'second']) {
			expect((await testService.run(match(eventId, id))).items[0].json).toMatchObject({
				matched: true,
				response: 'Successfully matched conversation to event',
			});
			expect((await conversation(id)).crmEventID).toBe(eventId);
		}
		expect(rest(await conversation(id))).toEqual(rest(before));
		const unlinked = everything().replaceAll('"hasRecording":true', '"hasRecording":false');
		expect(unlinked).toBe(booked.replaceAll('"hasRecording":true', '"hasRecording":false'));
	});

	// D2-DOES-05, D2-DEL-05, D2-MATCH-03, D2-ERR-13..15
	test('an appointment or conversation of another organization is answered like a missing one and stays unchanged', async () => {
		const theirKey = testService.sandbox.keys.otherOrganization;
		await book('ours');
		const [ours] = testService.sandbox.control.conversationIds(30, 1);
		const deletes = [
			await testService.run(remove('ours'), [{}], theirKey),
			await testService.run(remove('absent'), [{}], theirKey),
		];
		const matches = [
			await testService.run(match('ours', ours), [{}], theirKey),
			await testService.run(match('absent', CONVERSATION_ID), [{}], theirKey),
		];
		for (const [theirs, absent] of [deletes, matches]) {
			expect(theirs.error?.message).toMatch(/^No appointment has this Event ID/);
			expect(theirs.error?.message.replace('"ours"', '"absent"')).toBe(absent.error?.message);
			expect(theirs.error?.description).toBe(absent.error?.description);
			expect(theirs.error?.description).toMatch(/organization/);
		}
		expect(testService.stored('ours')).toBeDefined();
		const { error } = await testService.run(match('ours', CONVERSATION_ID));
		expect(error?.message).toMatch(/^No conversation has this Conversation ID/);
		expect(error?.description).toMatch(/conversation of another organization/);
	});

	// D2-AUTH-04, D2-AUTH-02, D2-ERR-11, D2-DEL-04
	test('a deleted key is refused immediately, and the message names that cause', async () => {
		const other = await startAppointmentService();
		const { organization } = other.sandbox.keys;
		expect((await other.upsert([other.appointment('key')])).error).toBeUndefined();
		other.sandbox.control.deleteKey(organization);
		other.sandbox.requests.reset();
		const { error } = await other.run(remove('key'));
		const requests = other.sandbox.requests.list();
		await other.close();
		expect(requests).toHaveLength(1);
		expect(error?.message).toMatch(/refuses the API key/);
		expect(error?.description).toMatch(/Status 403.*Repeating does not help.*deleted/);
	});
});
