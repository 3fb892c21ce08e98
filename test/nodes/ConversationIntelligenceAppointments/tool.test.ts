import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	automatic,
	byHand,
	CREATE,
	DELETE,
	items,
	NO_ATTENDEES,
	OWNER,
	processingService,
	SENT,
} from './mapping';

describe('Conversation Intelligence Appointments as the tool of an AI agent', () => {
	const { service, engine, bodies } = processingService();

	const run = async (parameters: INodeParameters, json: IDataObject = {}, continueOnFail = false) =>
		await engine.runNode(
			'conversationIntelligenceAppointmentsTool',
			{ resource: 'appointment', ...parameters },
			{
				input: items(json),
				continueOnFail,
			},
		);

	test('says in one text what is wrong with the fields and what to do', async () => {
		const { error } = await run(byHand({ ...CREATE, start_time: 'soon', title: '' }));
		expect({ message: error?.message, description: error?.description }).toEqual({
			message:
				'Start Time and Title cannot be sent. ' +
				'Start Time must be a date and time (it is "soon"). Use an ISO date such as 2026-03-01T08:30:00Z or 2026-03-01 08:30:00. ' +
				'Missing: Title. To change an existing appointment, choose the Update operation and send everyone who should attend: it removes the others.',
			description: undefined,
		});
	});

	test('says in one text what the service answered and what to do', async () => {
		service.respond([{ status: 409, body: 'Has a recording' }]);
		const expected =
			'The appointment has a linked recording and cannot be deleted. Status 409: "Has a recording". Repeating does not help. Keep the appointment.';
		const { error } = await run(DELETE, { id: 'crm-1' });
		expect({ message: error?.message, description: error?.description }).toEqual({
			message: expected,
			description: undefined,
		});
		const continued = await run(DELETE, { id: 'crm-1' }, true);
		expect(continued.items[0].json).toEqual({
			error: expected,
			message: '',
			details: {
				code: 'appointment_has_recording',
				retryable: false,
				status: 409,
				response: 'Has a recording',
				eventId: 'crm-1',
			},
		});
	});

	// D2-ATT-05, D2-RULE-03
	test.each<[string, IDataObject, INodeParameters, string[]]>([
		['without a list', {}, {}, [NO_ATTENDEES]],
		['with Preview Only', {}, { options: { previewOnly: true } }, [NO_ATTENDEES]],
		['with Owner Only', { attendee_emails: 'b@x.com' }, { options: { ownerOnly: true } }, [NO_ATTENDEES]],
		['with a list', { attendee_emails: 'b@x.com' }, {}, []],
		[
			'with a part of the customer and an end before its start',
			{
				attendee_emails: 'b@x.com',
				customer_id: 'c-1',
				customer_name: 'Blue Door Ltd',
				customer_email: 'c@x.com',
				start_time: '2026-03-01T10:00:00Z',
				end_time: '2026-03-01T09:00:00Z',
			},
			{},
			[
				'The customer is sent without Customer Phone, Customer Address: on an existing appointment, the service may erase them. Send the whole customer to keep them.',
				'End Time is before Start Time. Check both times: they are sent unchanged.',
			],
		],
	])('says what an update %s removes and keeps', async (_name, more, parameters, warnings) => {
		const { items: output, error } = await run(
			byHand({ ...OWNER, ...more }, { operation: 'update', ...parameters }),
		);
		expect(error).toBeUndefined();
		expect(output[0].json.warnings).toEqual(warnings);
	});

	test("ignores the agent's own columns when it maps automatically", async () => {
		const agent = { chatInput: 'Book it', sessionId: '1', toolCallId: 'call_1' };
		const { items: output, hints } = await run(automatic(), { ...agent, ...CREATE });
		expect(bodies()).toEqual([SENT]);
		expect(output[0].json.warnings).toEqual([NO_ATTENDEES]);
		expect(hints.filter(({ message }) => /toolCallId|chatInput/.test(message))).toEqual([]);
		const { error } = await run(automatic(), agent);
		expect(error?.message).toMatch(
			/^Event ID and 6 more fields are missing\. Missing: Event ID, User Email, /,
		);
		expect(error?.message).not.toMatch(/toolCallId|chatInput/);
	});

	test('does not offer automatic mapping to the model, because it would show no fields', () => {
		const mappers = engine
			.description('conversationIntelligenceAppointmentsTool')
			.properties.filter(
				({ name, displayOptions }) => name === 'columns' && displayOptions?.show?.operation?.[0] === 'upsert',
			);
		expect(
			mappers.map(({ displayOptions, typeOptions }) => [
				displayOptions?.show?.['@tool'] ?? displayOptions?.hide?.['@tool'],
				displayOptions?.hide === undefined,
				typeOptions?.resourceMapper?.supportAutoMap,
			]),
		).toEqual([
			[[true], false, true],
			[[true], true, false],
		]);
	});
});
