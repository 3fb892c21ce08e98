import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { ConversationIntelligence } from '../../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import { ConversationIntelligenceAppointments } from '../../../nodes/ConversationIntelligenceAppointments/ConversationIntelligenceAppointments.node';
import { sandboxEngine } from '../../support/engine/fixtures';
import { LISTS } from '../ConversationIntelligence/listing';
import { automatic, CONVERSATION_ID, CREATE, MATCH, runAppointments } from './mapping';

describe('Appointments at the service', () => {
	const { sandbox, engine } = sandboxEngine(
		[ConversationIntelligenceAppointments, ConversationIntelligence],
		// The tests end the processing of recordings themselves.
		{ conversations: 60, processingSeconds: 3600 },
	);

	/** Email addresses of active users. */
	const people = () =>
		sandbox.control
			.users()
			.filter(({ isRemoved, isHidden }) => !isRemoved && !isHidden)
			.map(({ email }) => email);
	/** A row with every field that a new appointment needs. */
	const appointment = (event_id: string, more: IDataObject = {}): IDataObject => ({
		...CREATE,
		event_id,
		user_email: people()[0],
		...more,
	});
	const stored = (eventId: string) =>
		sandbox.control.appointments().find(({ event_id }) => event_id === eventId);

	/** Runs the node once over the rows, with the organization's key. */
	const run = async (parameters: INodeParameters, rows?: IDataObject[]) =>
		await runAppointments(engine, parameters, rows);
	const update = async (row: IDataObject, more: INodeParameters = {}) =>
		await run(automatic({ operation: 'update', ...more }), [row]);
	const match = async (eventId: string, conversationId: string) =>
		await run({ ...MATCH, eventId, conversationId });
	const book = async (eventId: string, more: IDataObject = {}) => {
		expect((await run(automatic(), [appointment(eventId, more)])).error).toBeUndefined();
		return { ...stored(eventId) } as IDataObject;
	};
	/** Everything that a refused request could change. */
	const everything = () => {
		const received = sandbox.control.debugger(sandbox.keys.organization).length;
		return JSON.stringify([sandbox.control.appointments(), sandbox.control.outcomes(), received]);
	};

	// D2-DOES-01, D2-STATE-02, D2-ATT-04..05, D2-RULE-03
	test('keep what an update omits, but their attendees only if it names them', async () => {
		const [owner, colleague] = people();
		const before = await book('a-1', {
			attendee_emails: [owner, colleague],
			result: 'Sold',
			price: '1200.5',
		});
		expect(before).toMatchObject({ result: 'Sold', price: 1200.5, attendees: [owner, colleague] });
		const row = { event_id: 'a-1', user_email: owner, title: '', price: 900, result: '' };
		const { error } = await update(row);
		expect(error?.context?.details).toMatchObject({ code: 'attendees_missing', eventId: 'a-1' });
		expect((await update(row, { options: { repOnly: true } })).error).toBeUndefined();
		const after = { ...stored('a-1') } as IDataObject;
		expect(Date.parse(String(after.updatedAt))).toBeGreaterThanOrEqual(Date.parse(String(before.updatedAt)));
		expect(after).toStrictEqual({ ...before, price: 900, attendees: [owner], updatedAt: after.updatedAt });
	});

	// D2-STATE-06, D2-EVENT-03, D2-ATT-03..04, D2-ERR-17, D2-BODY-04
	test('are not changed by refused requests, as the message says', async () => {
		await book('same');
		const before = everything();
		const nobody = 'nobody@elsewhere.example';
		for (const attendee_emails of [[], [nobody]]) {
			const changed = { event_id: 'same', user_email: nobody, title: 'New', result: 'Never seen' };
			const { error } = await update({ ...changed, attendee_emails });
			expect(error?.context?.details).toMatchObject({ code: 'attendees_unknown', eventId: 'same' });
			expect(error?.description).toContain(`Attendee Emails (${JSON.stringify(attendee_emails)})`);
			expect(error?.description).toContain(`Rep Email ("${nobody}")`);
		}
		const { error } = await match('absent', CONVERSATION_ID);
		expect(error?.context?.details).toMatchObject({ code: 'appointment_not_found' });
		expect(everything()).toBe(before);
	});

	// D2-STATE-05, D2-MATCH-01..02, D2-DOES-04
	test('a match moves the link of a conversation and changes nothing else, even when it is sent twice', async () => {
		const [id] = sandbox.control.conversationIds(20, 1);
		await book('first');
		await book('second');
		const booked = everything();
		for (const eventId of ['first', 'first', 'second']) {
			expect((await match(eventId, id)).items[0].json).toEqual({
				matched: true,
				event_id: eventId,
				conversation_id: id,
				status: 200,
				response: 'Successfully matched conversation to event',
				warnings: [],
			});
			const get = { resource: 'conversation', operation: 'get', output: 'raw', conversationId: id };
			const { items } = await engine.runNode('conversationIntelligence', get);
			expect(items[0].json.crmEventID).toBe(eventId);
		}
		const unlinked = everything().replaceAll('"hasRecording":true', '"hasRecording":false');
		expect(unlinked).toBe(booked.replaceAll('"hasRecording":true', '"hasRecording":false'));
	});

	// D2-POST-02, D2-EVENT-01, D2-STATE-01, D2-DOES-02
	test('confirm only the receipt of a recording, and the export lists it once it is processed', async () => {
		const media = { media_url: 'https://media.example.com/call.mp3?sig=1%2F2', recording_type: 'CALL_AUDIO' };
		const exported = async () => {
			const { items } = await engine.runNode('conversationIntelligence', LISTS.conversations);
			return items.filter(({ json }) => json.crmEventID === 'ingested').length;
		};
		const { attendees } = await book('ingested', { ...media, attendee_emails: [], result: 'A new outcome' });
		expect(attendees).toEqual([people()[0]]);
		expect(sandbox.control.outcomes()).toContain('A new outcome');
		expect(await exported()).toBe(0);
		sandbox.control.finishProcessing({ eventId: 'ingested' });
		expect(await exported()).toBe(1);
	});
});
