import { request } from 'undici';
import { startDoubles } from '../../../../harness/examples/doubles';

test('the doubles answer only as this machine, so that no page of another site can rebind its name to them', async () => {
	const doubles = await startDoubles();
	const answers = async (host: string) => {
		const { statusCode, body } = await request(`${doubles.url}/slack.com/api/conversations.list`, {
			headers: { host },
		});
		await body.dump();
		return statusCode;
	};
	const { host } = new URL(doubles.url);
	expect(await answers(host)).toBe(200);
	for (const other of ['rebound.example', `127.0.0.1.rebound.example`])
		expect(await answers(other)).toBe(421);
	await doubles.close();
});
