import type { IDataObject } from 'n8n-workflow';
import { appointmentService } from './appointmentService';
import { LISTS } from '../ConversationIntelligence/listing';

const MEDIA = { media_url: 'https://media.example.com/call.mp3?sig=1%2F2', recording_type: 'CALL_AUDIO' };

describe('Recordings of appointments', () => {
	// The tests end the processing themselves.
	const service = appointmentService({ conversations: 5, processingSeconds: 3600 });
	const { sandbox, engine, people, stored } = service;
	beforeEach(() => sandbox.requests.reset());

	const send = async (eventId: string, more: IDataObject) =>
		await service.upsert([service.appointment(eventId, more)]);

	// D2-TYPE-01..03, D2-DOES-02
	test.each([
		['CALL_AUDIO', {}],
		['APPOINTMENT_AUDIO', {}],
		['CALL_AUDIO_WITH_LOCATION', { location: 'Denver' }],
	])('%s is accepted by the service', async (recording_type, more) => {
		const sent = { ...MEDIA, recording_type, ...more };
		expect((await send(recording_type, sent)).error).toBeUndefined();
		expect(stored(recording_type)).toMatchObject(sent);
	});

	// D2-POST-02, D2-EVENT-01, D2-STATE-01, D2-DOES-02
	test('success only confirms receipt, and the export lists the conversation once it is processed', async () => {
		const exported = async () => {
			const { items } = await engine.runNode('conversationIntelligence', LISTS.conversations);
			return items.filter(({ json }) => json.crmEventID === 'ingested').length;
		};
		const { items } = await send('ingested', { ...MEDIA, result: 'A new outcome' });
		expect(items[0].json.status).toBe(200);
		expect(stored('ingested')?.attendees).toEqual([people()[0]]);
		expect(sandbox.control.outcomes()).toContain('A new outcome');
		expect(await exported()).toBe(0);
		sandbox.control.finishProcessing({ eventId: 'ingested' });
		expect(await exported()).toBe(1);
	});

	// D2-LIM-03, D2-APPT-11, D2-ERR-09
	test('attendees and a Media URL are never sent together, but an empty list of attendees is accepted', async () => {
		const { error } = await send('both', { ...MEDIA, attendee_emails: [people()[1]] });
		expect(error?.message).toMatch(/^Attendee Emails and Media URL cannot be sent together/);
		expect(sandbox.requests.list()).toEqual([]);
		expect((await send('both', { ...MEDIA, attendee_emails: [] })).error).toBeUndefined();
		expect(stored('both')?.attendees).toEqual([people()[0]]);
	});

	// Success only confirms receipt, so nothing else would say that no recording is fetched.
	test.each(['call.mp3', 'n/a', true, 'C:\\calls\\1.mp3', '//media.example.com/a.mp3'])(
		'the Media URL %j is refused, because it is no link',
		async (media_url) => {
			const { error } = await send('no-link', { ...MEDIA, media_url });
			expect(error).toMatchObject({
				message: expect.stringContaining(`Media URL must be a link (it is ${JSON.stringify(media_url)})`),
				description: expect.stringContaining('https://media.example.com/call.mp3'),
			});
			expect(sandbox.requests.list()).toEqual([]);
		},
	);

	test('a pasted Media URL is sent without the blanks around it', async () => {
		expect((await send('pasted', { ...MEDIA, media_url: ` ${MEDIA.media_url}\n` })).error).toBeUndefined();
		expect(stored('pasted')).toMatchObject(MEDIA);
	});
});
