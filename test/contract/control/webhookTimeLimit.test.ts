import { useReceiver } from '../support/receiver';
import { useService } from '../support/service';
import { useWebhooks } from '../support/webhooks';

const service = useService({ conversations: 10, awaitingUpload: 2, errored: 2 });
const receiver = useReceiver();
const webhooks = useWebhooks(service);

test('an endpoint has ten seconds to respond [D1-WH-01] [D1-LIM-06]', async () => {
	receiver.answer(() => undefined);
	const id = await webhooks.subscribe({ url: receiver.url });
	const result = await webhooks.sendTest(id);
	expect(result).toMatchObject({ status: null, isSuccess: false });
	expect(result.milliseconds).toBeGreaterThan(9_500);
	// Generous for slow machines, but still tells ten seconds from other limits.
	expect(result.milliseconds).toBeLessThan(15_000);
});

test('a response after eight seconds is in time [D1-WH-01] [D1-LIM-06]', async () => {
	receiver.answer((response) => void setTimeout(() => response.writeHead(200).end(), 8_000));
	const id = await webhooks.subscribe({ url: receiver.url });
	expect(await webhooks.sendTest(id)).toMatchObject({ status: 200, isSuccess: true });
});
