import { startSandbox } from '../../../sandbox';
import { optionsFrom } from '../../../sandbox/cli';
import { useReceiver } from '../support/webhooks';

const receiver = useReceiver();

test.each([
	[{ users: 0 }, 'users: Number must be greater than or equal to 1.'],
	[{ from: 'soon' }, 'A date must be ISO 8601, such as 2026-01-31T09:00:00Z, not "soon".'],
	[{ to: '1999-01-01T00:00:00Z' }, '"to" must be after "from".'],
	[{ from: '2025-01-01', to: '2025-01-01T12:00:00Z' }, 'too short for 2501 rows'],
])('the options %j are refused', async (options, message) => {
	await expect(startSandbox(options)).rejects.toThrow(message);
});

test('a port in use is named', async () => {
	const port = Number(new URL(receiver.url).port);
	const message = `Port ${port} on 127.0.0.1 is already in use: choose another one.`;
	await expect(startSandbox({ port })).rejects.toThrow(message);
});

test('the command line takes each option by its type', () => {
	const args = ['--port', '9000', '--conversations', '1_000', '--webhookRetryDelaysMs', '1,2', '--log'];
	const options = { port: 9000, conversations: 1000, webhookRetryDelaysMs: [1, 2], log: true };
	expect([optionsFrom(args), optionsFrom(['--help'])]).toEqual([options, 'help']);
	expect(() => optionsFrom(['--colour', 'red'])).toThrow('--colour');
});

test('live data ends yesterday and goes on: each new conversation is announced', async () => {
	const sandbox = await startSandbox({ to: 'now', newConversationSeconds: 0.02 });
	const age = Date.now() - Date.parse(sandbox.control.extent().to ?? '');
	sandbox.webhooks.subscriptions.add({ url: receiver.url });
	const [first, second] = await receiver.got(2);
	await sandbox.close();
	expect(age).toBeLessThan(2 * 86_400_000);
	const { recorded_at, recording_duration_seconds: seconds } = first.json.data;
	expect(Date.parse(recorded_at) + seconds * 1000).toBeLessThan(Date.now());
	expect(Date.parse(recorded_at)).toBeGreaterThan(Date.now() - 3 * 3_600_000);
	expect(second.json.data.conversation_id).not.toBe(first.json.data.conversation_id);
});

test('stops while receivers hang', async () => {
	const sandbox = await startSandbox({ conversations: 20 });
	receiver.respond(() => undefined);
	sandbox.webhooks.subscriptions.add({ url: receiver.url });
	const running = sandbox.webhooks.emit({ count: 20, concurrency: 5 });
	await receiver.got(5);
	await sandbox.close();
	expect(await running).toMatchObject({ delivered: 0, failed: 0, attempts: 0 });
});
