import { useReceiver } from '../support/receiver';
import { useService } from '../support/service';
import { useWebhooks } from '../support/webhooks';

const service = useService({ conversations: 10, awaitingUpload: 2, errored: 2 });
const receiver = useReceiver();
const webhooks = useWebhooks(service);

test('[D1-WH-01] [D1-LIM-06] an endpoint has ten seconds to answer', async () => {
	receiver.answer(() => undefined);
	const id = await webhooks.subscribe({ url: receiver.url });
	const result = await webhooks.sendTest(id);
	expect(result).toMatchObject({ status: null, isSuccess: false });
	expect(result.milliseconds).toBeGreaterThan(9_500);
	// Generous, for a slow machine; still no other limit than ten seconds.
	expect(result.milliseconds).toBeLessThan(15_000);
});

test('[D1-WH-01] [D1-LIM-06] an answer after eight seconds is in time', async () => {
	receiver.answer((response) => void setTimeout(() => response.writeHead(200).end(), 8_000));
	const id = await webhooks.subscribe({ url: receiver.url });
	expect(await webhooks.sendTest(id)).toMatchObject({ status: 200, isSuccess: true });
});
