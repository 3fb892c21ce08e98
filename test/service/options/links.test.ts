import { hour, itIs, realTime } from '../support/clock';
import { call, list } from '../support/http';
import { useService } from '../support/service';

const service = useService({ conversations: 60, awaitingUpload: 2, errored: 2, audioSeconds: 1 });
const issued = Date.now();
afterEach(realTime);

// D1-CONV-09, D1-CONV-22, D1-LIM-03
test('links work for six hours after the response and no longer', async () => {
	const [{ transcriptUrl, audioUrl }] = (await list(service)).conversations;
	for (const link of [transcriptUrl, audioUrl]) {
		itIs(issued + 6 * hour - 60_000);
		expect((await call(link)).status).toBe(200);
		itIs(issued + 6 * hour + 60_000);
		expect((await call(link)).status).toBe(403);
	}
});

// D1-CONV-09, D1-LIM-03
test('each response starts a new six-hour period', async () => {
	itIs(issued + 5 * hour);
	const [{ transcriptUrl }] = (await list(service)).conversations;
	itIs(issued + 10 * hour);
	expect((await call(transcriptUrl)).status).toBe(200);
});
