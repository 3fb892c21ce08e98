import { call } from '../support/http';
import { hour, itIs, realTime } from '../support/clock';
import { envelopeOf, useReceiver } from '../support/receiver';
import { useService } from '../support/service';
import { useWebhooks } from '../support/webhooks';

const service = useService({ conversations: 60, awaitingUpload: 2, errored: 2 });
const receiver = useReceiver();
const webhooks = useWebhooks(service);
afterEach(realTime);

// D1-LIM-04, D1-DATA-04
test('the transcript link works for about six hours after sending', async () => {
	const conversations = await webhooks.conversations(5);
	await webhooks.subscribe({ url: receiver.url });
	const sent = Date.now();
	await webhooks.emit(...conversations.map((row) => row.conversationId));
	const links = receiver.received.flatMap((each) => envelopeOf(each).data.transcript_url ?? []);
	expect(links.length).toBeGreaterThan(0);
	for (const link of links) {
		itIs(sent + 5.5 * hour);
		expect((await call(String(link))).status).toBe(200);
		itIs(sent + 6.5 * hour);
		expect((await call(String(link))).status).toBe(403);
	}
});
