import { checkExample } from '../../../playground/start/checks';
import { isTriggerExample } from '../../../playground/start/triggers';
import { exampleWorkflows } from '../../../playground/workflows';
import { startSandbox, type Sandbox } from '../../../sandbox';
import { appointment, sendAppointment } from '../../../playground/sandboxStory';

describe('The checks of `npm start -- --once`', () => {
	let sandbox: Sandbox;

	beforeAll(async () => (sandbox = await startSandbox({ conversations: 7 })));
	afterAll(async () => await sandbox.close());

	const check = async (slug: string, items: object[]) => await checkExample(slug, items as never, sandbox);
	const numbered = (count: number) =>
		Array.from({ length: count }, (_, at) => ({ conversationId: String(at) }));
	const transcripts = (count: number) =>
		Array.from({ length: count }, () => ({ transcript: '[01:25] Ana: Hi' }));

	test.each([
		['export-conversations', numbered(7), [...numbered(6), ...numbered(1)]],
		['export-to-file', [{ rows: 7 }], [{ rows: 6 }]],
		['export-transcripts', transcripts(5), [...transcripts(4), { transcript: '' }]],
	])('accept only the right result of %s', async (slug, good, bad) => {
		expect(await check(slug, good)).toBeUndefined();
		expect(await check(slug, bad)).toEqual(expect.any(String));
		expect(await check(slug, [])).toEqual(expect.any(String));
	});

	test('accept sync-appointments only if the service has the appointments', async () => {
		const matched = numbered(5);
		expect(await check('sync-appointments', matched)).toBe('0 appointments made and 5 matched instead of 5');
		for (const number of [1, 2, 3, 4, 5]) {
			await sendAppointment(sandbox, appointment(sandbox, number, { event_id: `crm-${number}` }));
		}
		expect(await check('sync-appointments', matched)).toBeUndefined();
		expect(await check('sync-appointments', [])).toEqual(expect.any(String));
	});

	test('exist for every example without a trigger', async () => {
		for (const { slug } of exampleWorkflows().filter(({ slug }) => !isTriggerExample(slug))) {
			expect(await check(slug, [])).not.toMatch(/has no check/);
		}
		expect(await check('unknown', [])).toMatch(/has no check/);
	});
});
