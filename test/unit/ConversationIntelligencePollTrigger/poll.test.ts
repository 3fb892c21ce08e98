import { ListService } from './listService';
import { OVERLAP, PollingN8n, START } from './pollingN8n';

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

/** How many conversations each of the next polls delivers, when all executions succeed. */
async function countsOf(n8n: PollingN8n, polls: number): Promise<number[]> {
	const counts: number[] = [];
	for (let poll = 0; poll < polls; poll++) {
		counts.push(await n8n.poll());
		while (n8n.running.length > 0) await n8n.end(0, 'success');
	}
	return counts;
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

test('delivers what was processed while the workflow was unpublished, even for 30 days', async () => {
	const { n8n, service } = await polled(3);
	await n8n.end(0, 'success');
	for (let day = 0; day < 30; day++) service.put(`day ${day}`, (n8n.now += 24 * 60 * MINUTE));
	n8n.publishAgain();
	expect(await n8n.poll()).toBe(30);
});

test('delivers lost conversations older than the overlap before a backlog of new ones', async () => {
	const { n8n, service } = await polled(3, { maxRows: 4 });
	n8n.now += 60 * MINUTE;
	service.put('an hour later', n8n.now);
	await n8n.poll();
	n8n.crash();
	n8n.limits.maxRows = 3;
	for (let n = 0; n < 100; n++) service.put(`backlog ${n}`, n8n.now + n);
	n8n.now += MINUTE;
	await n8n.poll();
	expect([...n8n.deliveries.values()]).toEqual([2, 2, 2, 1]);
});

test('reads 500 lost conversations of the last minutes as a list, not one by one', async () => {
	const { n8n, service } = await polled(500);
	n8n.crash();
	service.requests = 0;
	expect(await n8n.poll()).toBe(500);
	expect(service.requests).toBeLessThan(30);
});

test('delivers a conversation again once its processedDate is newer', async () => {
	const { n8n, service } = await polled(2);
	n8n.now += MINUTE;
	service.put('c0', n8n.now);
	expect(await n8n.poll()).toBe(1);
	expect(await n8n.poll()).toBe(0);
});

test('misses no conversation when others leave the range between two responses', async () => {
	const service = new ListService();
	const n8n = new PollingN8n(service);
	for (let n = 0; n < 230; n++) service.put(`c${n}`, START + n * 1000);
	n8n.now = START + 230_000;
	service.beforeResponse = () => void service.rows.delete(`c${service.requests * 3}`);
	await n8n.settle();
	const missing = [...service.rows.keys()].filter((id) => !n8n.position.seen[id]);
	expect(missing).toEqual([]);
});

test('delivers nothing twice after the overlap changes', async () => {
	const { n8n } = await polled(30);
	for (const overlapMs of [100 * OVERLAP, MINUTE, 100 * OVERLAP]) {
		n8n.limits.overlapMs = overlapMs;
		expect(await n8n.poll()).toBe(0);
		n8n.publishAgain();
	}
});

test('never moves the position past what was read, even for a processedDate without an offset or in the far future', async () => {
	const { n8n, service } = await polled(0);
	service.put('no offset', START + 1000, '2026-03-01T05:00:00');
	service.put('far ahead', START + 2000, '9999-12-31T00:00:00Z');
	n8n.now = START + 5000;
	expect(await n8n.poll()).toBe(2);
	service.put('next', START + 6000);
	n8n.now = START + 7000;
	expect(await n8n.poll()).toBe(1);
});

test('delivers what does not fit in a poll with the next polls, even 60 conversations of one millisecond', async () => {
	const { n8n, service } = await polled(0, { maxRows: 25 });
	for (let n = 0; n < 60; n++) service.put(`c${n}`, START + 500);
	service.put('next', START + 501);
	n8n.now = START + 1000;
	expect(await countsOf(n8n, 4)).toEqual([25, 25, 11, 0]);
});

test('stops a late poll as soon as it has something to deliver, and not before', async () => {
	const { n8n } = await polled(500, { isLate: () => true });
	const first = [...n8n.deliveries.keys()].length;
	expect(first).toBeGreaterThan(0);
	expect(first).toBeLessThan(100);
	n8n.limits.isLate = () => false;
	expect(first + (await n8n.poll())).toBe(500);
});

test('leaves the position as it was when a request fails', async () => {
	const { n8n, service } = await polled(0);
	for (let n = 0; n < 200; n++) service.put(`c${n}`, START + n);
	n8n.now = START + 1000;
	service.failAt = service.requests + 3;
	const before = JSON.stringify(n8n.position);
	await expect(n8n.poll()).rejects.toThrow('The service refused the request');
	expect(JSON.stringify(n8n.position)).toBe(before);
	expect(await n8n.poll()).toBe(200);
});

test('reports a total above the number of listed conversations, and still delivers them', async () => {
	const { n8n, service } = await polled(0);
	service.put('c0', START + 1);
	service.miscounted = 1;
	n8n.now = START + 1000;
	expect(await n8n.poll()).toBe(1);
	expect(n8n.logged).toContain('The service counts 2 conversations and lists 1.');
});

test('reports conversations of one millisecond that keep changing, and delivers them', async () => {
	const { n8n, service } = await polled(0);
	for (let n = 0; n < 60; n++) service.put(`c${n}`, START + 500);
	service.beforeResponse = () => service.put(`later ${service.requests}`, START + 500);
	n8n.now = START + 1000;
	expect(await n8n.poll()).toBeGreaterThanOrEqual(60);
	expect(n8n.logged).toContainEqual(expect.stringMatching(/^The service counts \d+ conversations/));
});

test('does not warn while totals and lists agree', async () => {
	const { n8n } = await polled(120);
	expect(await n8n.poll()).toBe(0);
	expect(n8n.logged).toEqual([]);
});

test('reports the time range of a conversation without an ID, and delivers nothing', async () => {
	const { n8n, service } = await polled(0);
	service.put('', START + 1000);
	n8n.now = START + 5000;
	await expect(n8n.poll()).rejects.toMatchObject({
		message:
			'A conversation processed between 2026-03-01T00:00:00.000Z and 2026-03-01T00:02:05.000Z has no "conversationId"',
		description: expect.stringMatching(/^Polling stops here so that nothing is skipped\./),
	});
});

test('reads two minutes ahead of its clock, but never further ahead than back', async () => {
	const { n8n, service } = await polled(0);
	service.put('a minute ahead', n8n.now + MINUTE);
	service.put('three minutes ahead', n8n.now + 3 * MINUTE);
	expect(await n8n.poll()).toBe(1);
	n8n.limits.overlapMs = MINUTE;
	n8n.now += 1.75 * MINUTE;
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
	n8n.limits.maxRows = 3;
	service.requests = 0;
	expect(await countsOf(n8n, 1)).toEqual([3]);
	expect(service.requests).toBe(3);
	expect(n8n.logged).toEqual(['"Poll" delivers again (attempt 2): c0, c1, c2']);
	expect(await countsOf(n8n, 5)).toEqual([3, 3, 3, 1, 0]);
});

test('reads years before the first conversation in fewer than 100 requests', async () => {
	const service = new ListService();
	const n8n = new PollingN8n(service);
	n8n.now = START + 6 * 365 * 24 * 60 * MINUTE;
	for (let n = 0; n < 3000; n++) service.put(`c${n}`, n8n.now - n * MINUTE);
	expect(await n8n.poll()).toBe(500);
	expect(service.requests).toBeLessThan(100);
});

test('reads past conversations that the users filter leaves out, and never delivers them', async () => {
	const { n8n, service } = await polled(0);
	for (let n = 0; n < 100; n++) service.put(`foreign ${n}`, START + n * MINUTE);
	for (const id of service.rows.keys()) service.unwanted.add(id);
	service.put('wanted', START + 50 * MINUTE);
	n8n.now = START + 100 * MINUTE;
	expect(await n8n.poll()).toBe(1);
	expect(Object.keys(n8n.position.seen)).toEqual(['wanted']);
	expect(n8n.position.from).toBe(START + 99 * MINUTE - OVERLAP);
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

test('asks once for failed conversations that the changed users filter leaves out', async () => {
	const { n8n, service } = await polled(3);
	n8n.options = { deliveredWhen: 'succeeded' };
	n8n.now += 60 * MINUTE;
	service.put('later', n8n.now);
	await n8n.poll();
	n8n.crash();
	n8n.now += MINUTE;
	expect(await n8n.poll()).toBe(4);
	await n8n.end(0, 'error');
	for (const id of service.rows.keys()) service.unwanted.add(id);
	n8n.now += 60 * MINUTE;
	await n8n.poll();
	service.requests = 0;
	await n8n.poll();
	expect(service.requests).toBe(1);
});

test('delivers nothing new while as many conversations as fit in a poll are in running executions', async () => {
	const { n8n, service } = await polled(5, { maxRows: 3 });
	service.requests = 0;
	expect(await n8n.poll()).toBe(0);
	expect(service.requests).toBe(0);
	expect(n8n.logged).toContain(
		'"Poll" delivers more once fewer than 3 conversations are in running executions',
	);
	await n8n.end(0, 'success');
	expect(await n8n.poll()).toBe(2);
	// One place is free.
	for (let n = 0; n < 3; n++) service.put(`later ${n}`, n8n.now);
	expect(await n8n.poll()).toBe(1);
});

test('starts an execution for each conversation, so that one that fails does not repeat the others', async () => {
	const { n8n, service } = await polled(0);
	n8n.options = { executionFor: 'conversation', deliveredWhen: 'succeeded' };
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
	n8n.options = { deliveredWhen: 'succeeded' };
	n8n.service.put('c0', n8n.now);
	const delivered: Array<[minute: number, attempt: unknown]> = [];
	for (let minute = 0; minute < 200; minute++) {
		await n8n.poll();
		delivered.push(...n8n.running.map(({ items }): [number, unknown] => [minute, items[0].deliveryAttempt]));
		await n8n.end(0, 'error');
		n8n.now += MINUTE;
	}
	expect(delivered).toEqual([
		[0, 1],
		[1, 2],
		[2, 3],
		[4, 4],
		[8, 5],
		[16, 6],
		[32, 7],
		[64, 8],
		[124, 9],
		[184, 10],
	]);
	expect(n8n.logged).toContain('"Poll" delivers again (attempt 3): c0');
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

test('does not deliver everything with each poll when n8n never reports an end', async () => {
	const { n8n } = await polled(20);
	for (let minute = 0; minute < 60; minute++) {
		await n8n.end(0, 'not queued');
		n8n.now += MINUTE;
		await n8n.poll();
	}
	expect(Math.max(...n8n.deliveries.values())).toBeLessThanOrEqual(8);
});

test('logs by how many conversations it is behind, and nothing once it has caught up', async () => {
	const { n8n } = await polled(500, { maxRows: 200 });
	expect(n8n.logged).toEqual(['"Poll" is behind by 300 conversations']);
	await n8n.end(0, 'success');
	expect(await countsOf(n8n, 2)).toEqual([200, 100]);
	expect(n8n.logged.filter((line) => line.includes('behind'))).toHaveLength(2);
});

test.each([
	[3, 2, '1 conversation'],
	[60, 30, '30 conversations'],
])(
	'of %i conversations, %i of which fit in a poll, logs that it is behind by %s',
	async (count, maxRows, left) => {
		const { n8n } = await polled(count, { maxRows });
		expect(n8n.logged).toEqual([`"Poll" is behind by ${left}`]);
	},
);

test('names five conversations that are delivered again, and counts the others', async () => {
	const { n8n } = await polled(7);
	n8n.crash();
	await n8n.poll();
	expect(n8n.logged).toEqual(['"Poll" delivers again (attempt 2): c0, c1, c2, c3, c4 and 2 more']);
});

test('goes on when the clock of this machine is set back', async () => {
	const { n8n, service } = await polled(1);
	n8n.now += 60 * MINUTE;
	service.put('c1', n8n.now);
	await n8n.poll();
	n8n.now -= 60 * MINUTE;
	expect(await n8n.poll()).toBe(0);
	service.put('c2', START + 61 * MINUTE);
	n8n.limits.overlapMs = MINUTE;
	n8n.now += 61 * MINUTE;
	expect(await n8n.poll()).toBe(1);
});

test('counts an attempt without the conversation, saved or published again', async () => {
	const { n8n, service } = await polled(1);
	n8n.crash();
	service.rows.delete('c0');
	await n8n.poll();
	expect(n8n.position.seen.c0).toEqual([START, 2, 2, n8n.now]);
	n8n.publishAgain();
	await n8n.poll();
	expect(n8n.logged).toHaveLength(1);
});

test('tries a lost conversation that is not found again later, and gives it up after ten attempts', async () => {
	const { n8n, service } = await polled(2);
	n8n.crash();
	service.rows.delete('c0');
	expect(await n8n.poll()).toBe(1);
	expect(n8n.logged).toEqual([
		'"Poll" cannot deliver conversation c0 again: the service returns 404; tries again later',
		'"Poll" delivers again (attempt 2): c1',
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
	expect(n8n.position.seen.c0?.[1]).not.toBe(2);
});
