import { call, list } from '../support/http';
import { useService } from '../support/service';
import { useReceiver, useWebhooks } from '../support/webhooks';

const service = useService({ conversations: 60, awaitingUpload: 2, errored: 2 });
const receiver = useReceiver();
const webhooks = useWebhooks(service);
const start = Date.now();

const itIs = (hours: number) => void jest.spyOn(Date, 'now').mockReturnValue(start + hours * 3_600_000);
const statusAt = async (hours: number, link: string) => {
	itIs(hours);
	return (await call(link)).status;
};

// D1-CONV-09, D1-CONV-22, D1-LIM-03
test('links of a response work for six hours and no longer', async () => {
	const [{ transcriptUrl, audioUrl }] = (await list(service)).conversations;
	for (const link of [transcriptUrl, audioUrl])
		expect([await statusAt(5.99, link), await statusAt(6.01, link)]).toEqual([200, 403]);
	itIs(5);
	const [later] = (await list(service)).conversations;
	expect(await statusAt(10, later.transcriptUrl)).toBe(200);
});

// D1-LIM-04, D1-DATA-04
test('the transcript link of a webhook works for about six hours', async () => {
	const conversations = await webhooks.conversations(5);
	await webhooks.subscribe({ url: receiver.url });
	await webhooks.emit(...conversations.map((row) => row.conversationId));
	const links = receiver.received.flatMap((each) => each.json.data.transcript_url ?? []);
	expect(links.length).toBeGreaterThan(0);
	expect(Array.isArray((await call(String(links[0]))).json)).toBe(true);
	expect([await statusAt(5.5, String(links[0])), await statusAt(6.5, String(links[0]))]).toEqual([200, 403]);
});
