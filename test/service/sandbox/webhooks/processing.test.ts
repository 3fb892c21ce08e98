import { type Sandbox, startSandbox } from '../../../../sandbox';
import { appointment, sendAppointment } from '../../../../harness/sendAppointment';
import { type Receiver, startReceiver } from '../../../../harness/webhook/receiver';

let sandbox: Sandbox;
let receiver: Receiver;
beforeEach(async () => {
	sandbox = await startSandbox({ conversations: 20, processingSeconds: 0, webhookRetryDelaysMs: [0, 0] });
	receiver = await startReceiver();
	sandbox.webhooks.subscriptions.add({ url: receiver.url });
});
afterEach(async () => {
	await sandbox.close();
	await receiver.close();
});

describe('conversation_processed', () => {
	it('is sent with the appointment after hosted audio is processed', async () => {
		const body = appointment(sandbox, 1, {
			media_url: 'https://media.example/a.wav',
			recording_type: 'APPOINTMENT_AUDIO',
		});
		await sendAppointment(sandbox, body);
		await receiver.got(1);
		const [{ json }] = receiver.received;
		expect(json.event_type).toBe('conversation_processed');
		expect(json.data).toMatchObject({
			appointment_id: 'visit-1001',
			user_email: body.user_email,
			customer: { name: body.customer.name, email: null, phone: null },
			recorded_at: `${body.start_time.replace(' ', 'T')}.000Z`,
		});
	});

	it('is sent on demand for an existing conversation', async () => {
		const [conversationId] = sandbox.control.insertConversations();
		// A delivery is stored before it is sent, so there is nothing to wait for.
		expect(sandbox.webhooks.deliveries.list()).toEqual([]);
		sandbox.control.finishProcessing({ conversationId });
		await receiver.got(1);
		expect(receiver.received[0].json.data.conversation_id).toBe(conversationId);
		expect(sandbox.webhooks.deliveries.list()).toMatchObject([{ conversationId }]);
	});

	it('is sent for each new conversation of live data', async () => {
		const live = await startSandbox({ conversations: 20, to: 'now', newConversationSeconds: 0.02 });
		live.webhooks.subscriptions.add({ url: receiver.url });
		const [first, second] = await receiver.got(2);
		await live.close();
		const { recorded_at, recording_duration_seconds: seconds } = first.json.data;
		expect(Date.parse(recorded_at) + seconds * 1000).toBeLessThan(Date.now());
		expect(Date.parse(recorded_at)).toBeGreaterThan(Date.now() - 3 * 3_600_000);
		expect(second.json.data.conversation_id).not.toBe(first.json.data.conversation_id);
	});

	it('is not retried after the conversation is removed', async () => {
		const [conversationId] = sandbox.control.insertConversations();
		const failing = await startReceiver((response) => {
			sandbox.control.removeConversations(conversationId);
			response.writeHead(500).end();
		});
		sandbox.webhooks.subscriptions.remove(sandbox.webhooks.subscriptions.list()[0].id);
		sandbox.webhooks.subscriptions.add({ url: failing.url });
		await sandbox.webhooks.emit({ conversationId });
		await failing.close();
		expect(failing.received).toHaveLength(1);
		expect(sandbox.webhooks.deliveries.deadLetters()).toEqual([
			expect.objectContaining({ conversationId, reason: 'The conversation no longer exists.' }),
		]);
	});
});
