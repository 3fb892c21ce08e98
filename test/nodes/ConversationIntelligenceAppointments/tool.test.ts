import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { mappedByHand } from '../../support/columns';
import { automatic, byHand, CREATE, DELETE, items, processingService, SENT } from './mapping';

const TOOL = 'conversationIntelligenceAppointmentsTool';

describe('Conversation Intelligence Appointments as the tool of an AI agent', () => {
	const { service, engine, bodies } = processingService();

	const run = async (parameters: INodeParameters, json: IDataObject = {}, continueOnFail = false) =>
		await engine.runNode(
			TOOL,
			{ resource: 'appointment', ...parameters },
			{ input: items(json), continueOnFail },
		);

	test('says in one text what is wrong and what to do, because n8n shows a model nothing else', async () => {
		service.respond([{ status: 409, body: 'Has a recording' }]);
		const { error } = await run(DELETE, { id: 'crm-1' });
		expect(error?.message).toMatch(
			/ cannot be deleted\. Status 409: "Has a recording"\. .*Keep the appointment\.$/,
		);
		expect(error?.message).not.toContain('crm-1');
		expect(error?.description).toBeUndefined();
		expect((await run(DELETE, { id: 'crm-1' }, true)).items[0].json).toMatchObject({
			error: error?.message,
			message: '',
			details: { code: 'appointment_has_recording', eventId: 'crm-1' },
		});
		const refused = await run(byHand({ ...CREATE, start_time: 'soon', title: '' }));
		expect(refused.error?.message).toMatch(
			/^Start Time and Title cannot be sent\. Start Time must .*\nTitle is missing\./,
		);
	});

	test("ignores the agent's own columns when it maps automatically", async () => {
		const agent = { chatInput: 'Book it', sessionId: '1', toolCallId: 'call_1' };
		const { items: output } = await run(automatic(), { ...agent, ...CREATE, location: 'Denver' });
		expect(bodies()).toEqual([{ ...SENT, location: 'Denver' }]);
		expect(output[0].json.warnings).toEqual([]);
		const { error } = await run(automatic(), agent);
		expect(error?.context?.details).toMatchObject({ code: 'required_fields_missing' });
		expect(error?.message).not.toMatch(/toolCallId|chatInput/);
	});

	test("as a node, too, reads mapped values itself, by labels, not by n8n's conversion of the fields' types", async () => {
		const { title, ...rest } = {
			...CREATE,
			start_time: '2026-07-01 09:00:00',
			attendee_emails: ['b@example.com'],
		};
		const types = { start_time: 'dateTime', attendee_emails: 'string' };
		const schema = Object.entries(types).map(([id, type]) => ({ id, type, displayName: id, display: true }));
		const columns = { ...mappedByHand({ ...rest, Title: title }), schema } as INodeParameters;
		await run(byHand({}, { columns, options: { timeZone: 'Europe/Berlin' } }));
		const sent = { start_time: '2026-07-01 07:00:00', attendee_emails: ['b@example.com'], title };
		expect(bodies()).toMatchObject([sent]);
	});

	test('does not offer automatic mapping to the model, because it would show no fields', () => {
		const { properties } = engine.nodeType(TOOL).description;
		const mappers = properties.filter(
			({ name, displayOptions }) => name === 'columns' && displayOptions?.show?.operation?.[0] === 'upsert',
		);
		const tool = { '@tool': [true] };
		expect(mappers).toMatchObject([
			{ displayOptions: { hide: tool }, typeOptions: { resourceMapper: { supportAutoMap: true } } },
			{ displayOptions: { show: tool }, typeOptions: { resourceMapper: { supportAutoMap: false } } },
		]);
		expect(mappers[1].displayOptions).not.toHaveProperty('hide');
	});
});
