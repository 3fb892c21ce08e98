import { ListService } from './listService';
import { PollingN8n, START } from './pollingN8n';

const MINUTE = 60_000;

/** An n8n that has polled a service with this many conversations, one per second. */
async function polled(count: number, limits: Partial<PollingN8n['limits']> = {}) {
	const service = new ListService();
	const n8n = new PollingN8n(service);
	for (let n = 0; n < count; n++) service.put(`c${n}`, START + n * 1000);
	n8n.now = START + count * 1000;
	Object.assign(n8n.limits, limits);
	await n8n.poll();
	return { n8n, service };
}

test('waits for a running execution, however long, and finds lost conversations of any age', async () => {
	const { n8n, service } = await polled(3);
	for (let day = 1; day <= 3; day++) {
		n8n.now += 24 * 60 * MINUTE;
		service.put(`day ${day}`, n8n.now);
		expect(await n8n.poll()).toBe(1);
	}
	n8n.crash();
	service.rows.delete('c1');
	expect(await n8n.poll()).toBe(5);
	expect(n8n.deliveries.get(`c1@${new Date(START + 1000).toISOString()}`)).toBe(1);
});

test('reports conversations of one millisecond that keep changing, and delivers them', async () => {
	const { n8n, service } = await polled(0);
	for (let n = 0; n < 60; n++) service.put(`c${n}`, START + 500);
	service.beforeResponse = () => service.put(`later ${service.requests}`, START + 500);
	n8n.now = START + 1000;
	expect(await n8n.poll()).toBeGreaterThanOrEqual(60);
	expect(n8n.logged[0]).toMatch(/^Workflow: Poll: The service counts \d+ conversations/);
});

test.each<[PollingN8n['options'], number]>([
	[{}, 2],
	[{ deliver: 'new' }, 1],
])('with %j, delivers a conversation that is processed again long after %i times', async (options, times) => {
	const { n8n, service } = await polled(1);
	n8n.options = options;
	await n8n.end(0, 'success');
	for (const id of ['later', 'c0', 'last']) {
		service.put(id, (n8n.now += 60 * MINUTE));
		await n8n.poll();
		await n8n.end(0, 'success');
	}
	const deliveries = [...n8n.deliveries.keys()].filter((one) => one.startsWith('c0@'));
	expect(deliveries).toHaveLength(times);
});

test('reads no further ahead of its clock than back', async () => {
	const { n8n, service } = await polled(0, { lookBackMs: MINUTE });
	service.put('ahead', n8n.now + 1.25 * MINUTE);
	expect(await n8n.poll()).toBe(0);
	n8n.now += MINUTE / 2;
	expect(await n8n.poll()).toBe(1);
});

test('delivers no more lost conversations than fit in a poll, each of them once', async () => {
	const { n8n, service } = await polled(12);
	n8n.now += 60 * MINUTE;
	service.put('later', n8n.now);
	await n8n.poll();
	n8n.crash();
	n8n.limits.maxRows = 6;
	service.requests = 0;
	expect(await n8n.poll()).toBe(6);
	expect(service.requests).toBe(6);
	expect(n8n.logged).toEqual(['Workflow: Poll: delivers 6 again: c0, c1, c2, c3, c4, c5']);
	for (const count of [6, 1, 0]) {
		while (n8n.running.length > 0) await n8n.end(0, 'success');
		expect(await n8n.poll()).toBe(count);
	}
});

test('reads years before the first conversation in fewer than 100 requests', async () => {
	const service = new ListService();
	const n8n = new PollingN8n(service);
	n8n.now = START + 6 * 365 * 24 * 60 * MINUTE;
	for (let n = 0; n < 3000; n++) service.put(`c${n}`, n8n.now - n * MINUTE);
	expect(await n8n.poll()).toBe(500);
	expect(service.requests).toBeLessThan(100);
});

test.each([1, 60])(
	'forgets a lost conversation that the changed users filter leaves out, %i minutes later',
	async (minutes) => {
		const { n8n, service } = await polled(2);
		n8n.crash();
		service.unwanted.add('c0');
		n8n.now += minutes * MINUTE;
		service.put('later', n8n.now);
		expect(await n8n.poll()).toBe(2);
		expect(Object.keys(n8n.position.seen).sort()).toEqual(['c1', 'later']);
	},
);

test('delivers nothing new while as many conversations as fit in a poll are in running executions', async () => {
	const { n8n, service } = await polled(5, { maxRows: 3 });
	service.requests = 0;
	expect(await n8n.poll()).toBe(0);
	expect(service.requests).toBe(0);
	expect(n8n.logged).toContain(
		'Workflow: Poll: delivers more once fewer than 3 conversations are in running executions',
	);
	await n8n.end(0, 'success');
	expect(await n8n.poll()).toBe(2);
	// One place is free.
	for (let n = 0; n < 3; n++) service.put(`later ${n}`, n8n.now);
	expect(await n8n.poll()).toBe(1);
});

test('starts an execution for each conversation, so that one that fails does not repeat the others', async () => {
	const { n8n, service } = await polled(0);
	n8n.options = { startExecutionFor: 'conversation', retryFailedExecutions: true };
	for (let n = 0; n < 5; n++) service.put(`c${n}`, START + n * 1000);
	n8n.now = START + 5000;
	expect(await n8n.poll()).toBe(5);
	expect(n8n.running.map(({ items }) => items.length)).toEqual([1, 1, 1, 1, 1]);
	await n8n.end(2, 'error');
	while (n8n.running.length > 0) await n8n.end(0, 'success');
	expect(await n8n.poll()).toBe(1);
	expect(n8n.running[0].items).toEqual([expect.objectContaining({ dedupeKey: 'c2', deliveryAttempt: 2 })]);
});

test('delivers what keeps failing with growing pauses up to an hour, counts the attempts, and logs them', async () => {
	const { n8n } = await polled(0);
	n8n.options = { retryFailedExecutions: true };
	n8n.service.put('c0', n8n.now);
	const delivered: number[][] = [];
	for (let minute = 0; minute < 200; minute++) {
		await n8n.poll();
		delivered.push(...n8n.running.map(({ items }) => [minute, Number(items[0].deliveryAttempt)]));
		await n8n.end(0, 'error');
		n8n.now += MINUTE;
	}
	const minutes = [0, 1, 2, 4, 8, 16, 32, 64, 124, 184];
	expect(delivered).toEqual(minutes.map((minute, before) => [minute, before + 1]));
	expect(n8n.logged).toContain('Workflow: Poll: delivers 1 again: c0');
});

test('keeps the count of attempts when n8n crashes each time, and delivers others meanwhile', async () => {
	const { n8n, service } = await polled(1);
	n8n.crash();
	expect(await n8n.poll()).toBe(1);
	n8n.crash();
	expect(await n8n.poll()).toBe(0);
	n8n.now += MINUTE;
	expect(await n8n.poll()).toBe(1);
	n8n.crash();
	service.put('harmless', n8n.now);
	expect(await n8n.poll()).toBe(1);
	expect(n8n.running.flatMap(({ delivered }) => delivered)[0]).toContain('harmless');
	await n8n.end(0, 'success');
	n8n.now += 2 * MINUTE;
	await n8n.poll();
	expect(n8n.running[0].items[0]).toMatchObject({ dedupeKey: 'c0', deliveryAttempt: 4 });
});

test('goes on when the clock of this machine is set back', async () => {
	const { n8n, service } = await polled(1);
	n8n.now += 60 * MINUTE;
	service.put('c1', n8n.now);
	await n8n.poll();
	n8n.now -= 60 * MINUTE;
	expect(await n8n.poll()).toBe(0);
	service.put('c2', START + 61 * MINUTE);
	n8n.limits.lookBackMs = MINUTE;
	n8n.now += 61 * MINUTE;
	expect(await n8n.poll()).toBe(1);
});

test('tries a lost conversation that is not found again later, and gives it up after ten attempts', async () => {
	const { n8n, service } = await polled(2);
	n8n.crash();
	service.rows.delete('c0');
	expect(await n8n.poll()).toBe(1);
	expect(n8n.logged).toEqual([
		'Workflow: Poll: cannot deliver conversation c0 again: the service returns 404; tries again later',
		'Workflow: Poll: delivers 1 again: c1',
	]);
	await n8n.end(0, 'success');
	service.put('c0', START);
	n8n.now += 2 * MINUTE;
	expect(await n8n.poll()).toBe(1);
	n8n.crash();
	service.rows.delete('c0');
	for (let hour = 0; hour < 10; hour++) {
		n8n.now += 60 * MINUTE;
		expect(await n8n.poll()).toBe(0);
	}
	expect(n8n.logged.filter((line) => line.includes('c0 again'))).toHaveLength(9);
	expect(n8n.logged.at(-1)).toContain('gives it up');
	expect(n8n.position.seen.c0?.[1]).toBe(1);
});

test('a conversation that is processed again is delivered as a first attempt, whatever came of it before', async () => {
	const { n8n, service } = await polled(0);
	n8n.options = { retryFailedExecutions: true };
	service.put('c0', n8n.now);
	await n8n.poll();
	for (const [outcome, attempt] of [
		['error', 2],
		['error', 1],
		['success', 1],
	] as const) {
		await n8n.end(0, outcome);
		n8n.now += 1000;
		if (attempt === 1) service.put('c0', n8n.now);
		await n8n.poll();
		expect(n8n.running[0].items[0]).toMatchObject({ dedupeKey: 'c0', deliveryAttempt: attempt });
	}
});
