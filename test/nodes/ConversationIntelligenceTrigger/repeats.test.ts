import { EventEmitter } from 'node:events';
import type { IWebhookFunctions } from 'n8n-workflow';
import { isRepeat } from '../../../nodes/ConversationIntelligenceTrigger/repeats';
import type { Settings } from '../../../nodes/ConversationIntelligenceTrigger/settings';

test('remembers 50,000 deliveries in all, and the busiest trigger forgets its oldest with the next one', async () => {
	const arrives = async (id: number, node: string) => {
		const response = Object.assign(new EventEmitter(), { statusCode: 200, writableFinished: true });
		const context = {
			getNode: () => ({ id: node, name: node }),
			getResponseObject: () => response,
			getWorkflow: () => ({ id: 'workflow' }),
			logger: { info: () => {} },
		} as unknown as IWebhookFunctions;
		const envelope = { event_type: 'conversation_processed' as const, data: { conversation_id: String(id) } };
		const settings = { ignoreRepeats: true, maximumAgeMs: 900_000 } as Settings;
		const wasKnown = await isRepeat(context, { envelope, isSigned: true }, settings);
		response.emit('close');
		return wasKnown;
	};
	await arrives(0, 'quiet');
	for (let id = 1; id < 50_000; id++) await arrives(id, 'busy');
	// Moves it to the end, so that the next one is the oldest.
	expect(await arrives(1, 'busy')).toBe(true);
	expect(await arrives(50_000, 'busy')).toBe(false);
	expect(await arrives(0, 'quiet')).toBe(true);
	expect(await arrives(3, 'busy')).toBe(true);
	expect(await arrives(2, 'busy')).toBe(false);
});
