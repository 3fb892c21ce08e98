import * as fc from 'fast-check';
import { collect, type FetchPage } from '../../../nodes/ConversationPollTrigger/collect';
import {
	advanceCursor,
	beginCursor,
	openWindow,
	readCursor,
	type Cursor,
} from '../../../nodes/ConversationPollTrigger/cursor';
import { ListService } from './service';

const OVERLAP = 1000;
const START = 1_000_000;

/** Polls as the node does, with a clock of its own and a saved position that only moves after a poll that worked. */
class Poller {
	now = START;
	process = 'first process';
	saved: Cursor;
	readonly handedOver: string[] = [];

	constructor(
		private readonly service: ListService,
		private readonly maxRows = 500,
	) {
		this.saved = beginCursor('activation', START, this.process);
	}

	twice = false;

	async poll(): Promise<number> {
		// What was saved went through JSON, as n8n keeps it.
		const cursor = readCursor(JSON.parse(JSON.stringify(this.saved))) as Cursor;
		const { process, twice, now: at } = this;
		const repetition = { overlapMs: OVERLAP, againAfterRestart: true, twice, process, at };
		const window = openWindow(cursor, repetition);
		const found = await collect(this.service.fetchPage, {
			...window,
			until: Math.max(this.now, window.since) + OVERLAP,
			isHanded: (id) => id in window.handed,
			maxRows: this.maxRows,
			deadline: Infinity,
			concurrency: 3,
		});
		this.saved = advanceCursor(cursor, window, found, repetition);
		this.handedOver.push(...found.rows.map(({ id }) => id));
		return found.rows.length;
	}
}

const ids = (service: ListService) => [...service.rows.keys()].sort();

test('whatever comes between polls is handed over exactly once, in parts where there is much', async () => {
	const step = fc.record({
		/** Processed how long before now (within the overlap), and how many at once. */
		arrivals: fc.array(fc.tuple(fc.nat(OVERLAP / 2), fc.integer({ min: 1, max: 60 })), { maxLength: 2 }),
		passes: fc.integer({ min: 1, max: OVERLAP / 2 }),
		failsAt: fc.option(fc.integer({ min: 1, max: 6 })),
	});
	await fc.assert(
		fc.asyncProperty(
			fc.array(step, { maxLength: 6 }),
			fc.boolean(),
			fc.integer({ min: 5, max: 90 }),
			async (steps, newestFirst, maxRows) => {
				const service = new ListService(newestFirst);
				const poller = new Poller(service, maxRows);
				for (const { arrivals, passes, failsAt } of steps) {
					poller.now += passes;
					for (const [ago, count] of arrivals) {
						const processed = Math.max(START, poller.now - ago);
						for (let n = 0; n < count; n++) service.rows.set(`c${service.rows.size}`, processed + (n % 7));
					}
					service.failAt = failsAt === null ? Infinity : service.requests + failsAt;
					await poller.poll().catch((error: Error) => expect(error.message).toBe('The page failed.'));
				}
				service.failAt = Infinity;
				while ((await poller.poll()) > 0);
				expect([...poller.handedOver].sort()).toEqual(ids(service));
			},
		),
		{ numRuns: 60 },
	);
});

test('rows that appear while the pages are read are neither lost nor doubled', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.boolean(),
			fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 6 }),
			async (newestFirst, at) => {
				const service = new ListService(newestFirst);
				const poller = new Poller(service);
				for (let n = 0; n < 230; n++) service.rows.set(`c${n}`, START + n);
				service.beforeAnswer = () => {
					if (at.includes(service.requests)) service.rows.set(`late ${service.requests}`, START + 900);
				};
				while ((await poller.poll().catch(() => 1)) > 0);
				expect([...poller.handedOver].sort()).toEqual(ids(service));
			},
		),
		{ numRuns: 50 },
	);
});

test('a failed page leaves the position as it was', async () => {
	const service = new ListService();
	const poller = new Poller(service);
	for (let n = 0; n < 200; n++) service.rows.set(`c${n}`, START + n);
	service.failAt = 3;
	const before = JSON.stringify(poller.saved);
	await expect(poller.poll()).rejects.toThrow('The page failed.');
	expect(JSON.stringify(poller.saved)).toBe(before);
	expect(await poller.poll()).toBe(200);
});

test('after a restart the latest hand-overs come once more, and older ones do not', async () => {
	const service = new ListService();
	const poller = new Poller(service);
	service.rows.set('old', START + 1);
	await poller.poll();
	poller.now += 5 * OVERLAP;
	service.rows.set('before', poller.now);
	await poller.poll();
	poller.now += OVERLAP / 2;
	service.rows.set('interrupted', poller.now);
	await poller.poll();

	poller.process = 'second process';
	poller.handedOver.length = 0;
	await poller.poll();
	expect(poller.handedOver).toEqual(['before', 'interrupted']);
	expect(await poller.poll()).toBe(0);
});

test('several main processes that take turns hand each conversation over once, and once more when a process is new', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(fc.nat(2), { minLength: 1, maxLength: 60 }), async (turns) => {
			const service = new ListService();
			const poller = new Poller(service);
			for (const turn of turns) {
				poller.now += OVERLAP / 10;
				poller.process = `process ${turn}`;
				service.rows.set(`c${service.rows.size}`, poller.now);
				await poller.poll();
			}
			for (const id of ids(service)) {
				const times = poller.handedOver.filter((one) => one === id).length;
				expect(times).toBeGreaterThanOrEqual(1);
				// The first process began with the trigger; each of the other three takes the latest back once.
				expect(times).toBeLessThanOrEqual(4);
			}
			poller.handedOver.length = 0;
			for (const turn of turns) {
				poller.process = `process ${turn}`;
				expect(await poller.poll()).toBe(0);
			}
		}),
		{ numRuns: 60 },
	);
});

test('on request twice: a conversation that is no longer listed holds nothing up', async () => {
	const service = new ListService();
	const poller = new Poller(service);
	poller.twice = true;
	for (let n = 0; n < 200; n++) {
		poller.now += OVERLAP / 10;
		service.rows.set(`c${n}`, poller.now);
		if (n === 22) service.rows.delete('c20');
		await poller.poll();
	}
	const timesOf = (id: string) => poller.handedOver.filter((one) => one === id).length;
	expect(timesOf('c20')).toBe(1);
	expect(ids(service).filter((id) => timesOf(id) > 2)).toEqual([]);
	expect(Object.keys(poller.saved.handed).length).toBeLessThan(40);
});

describe('a total that counts otherwise than the rows', () => {
	const ids = Array.from({ length: 70 }, (_, n) => `c${n}`);
	const collectFrom = async (pages: (page: number) => { ids: string[]; total: number }) => {
		const warnings: string[] = [];
		const fetchPage: FetchPage = async (_range, page) => {
			const { ids: listed, total } = pages(page);
			const processedDate = new Date(START).toISOString();
			return { rows: listed.map((conversationId) => ({ conversationId, processedDate })), total };
		};
		const found = await collect(fetchPage, {
			since: START,
			until: START + OVERLAP,
			from: START,
			isHanded: () => false,
			maxRows: 500,
			deadline: Infinity,
			concurrency: 3,
			warn: (message) => warnings.push(message),
		});
		return { rows: found.rows.map(({ id }) => id), warnings };
	};
	const pageOf = (page: number) => ids.slice((page - 1) * 50, page * 50);

	test('does not hold the poll up once nothing moves, and is told', async () => {
		const { rows, warnings } = await collectFrom((page) => ({ ids: pageOf(page), total: 71 }));
		expect(rows).toEqual(ids);
		expect(warnings).toEqual([
			'The service counts 71 conversations and lists 70. Those listed are handed over.',
		]);
	});

	test('counts an ID twice that stands twice on a page', async () => {
		const { rows } = await collectFrom((page) => ({
			ids: [...pageOf(page), ...(page === 2 ? ['c69'] : [])],
			total: 71,
		}));
		expect(rows).toEqual(ids);
	});

	test.each([
		['the same page comes again and again', () => ids.slice(0, 50)],
		['a page before the last is not full', (page: number) => (page === 1 ? ids.slice(0, 30) : ids.slice(50))],
	])('fails the poll where %s', async (_what, listed) => {
		await expect(collectFrom((page) => ({ ids: listed(page), total: 100 }))).rejects.toThrow(
			'nothing was skipped',
		);
	});
});

test('a hand-over that was interrupted is taken back in whole, also when it is cut in parts then', async () => {
	const service = new ListService();
	const poller = new Poller(service, 1000);
	for (let n = 0; n < 300; n++) service.rows.set(`c${n}`, START + n * 10);
	poller.now = START + 5000;
	await poller.poll();
	poller.process = 'second process';
	poller.handedOver.length = 0;
	Object.assign(poller, { maxRows: 70 });
	while ((await poller.poll()) > 0);
	expect([...poller.handedOver].sort()).toEqual(ids(service));
});

test('on request each conversation comes exactly twice, the second time after the overlap', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.tuple(fc.integer({ min: 1, max: 3 * OVERLAP }), fc.nat(40)), { maxLength: 8 }),
			fc.integer({ min: 5, max: 90 }),
			async (steps, maxRows) => {
				const service = new ListService();
				const poller = new Poller(service, maxRows);
				poller.twice = true;
				for (const [passes, count] of steps) {
					poller.now += passes;
					for (let n = 0; n < count; n++) service.rows.set(`c${service.rows.size}`, poller.now);
					await poller.poll();
				}
				while ((await poller.poll()) > 0);
				const times = () => ids(service).map((id) => poller.handedOver.filter((one) => one === id).length);
				expect(Math.max(0, ...times())).toBeLessThanOrEqual(2);
				poller.now += OVERLAP;
				while ((await poller.poll()) > 0);
				poller.now += OVERLAP;
				while ((await poller.poll()) > 0);
				expect(times()).toEqual(ids(service).map(() => 2));
			},
		),
		{ numRuns: 40 },
	);
});

test('the position keeps no conversation that cannot be met again', async () => {
	const service = new ListService();
	const poller = new Poller(service);
	for (let n = 0; n < 100; n++) {
		poller.now += OVERLAP;
		service.rows.set(`c${n}`, poller.now);
		await poller.poll();
	}
	expect(poller.handedOver).toHaveLength(100);
	expect(Object.keys(poller.saved.handed).length).toBeLessThan(5);
	expect(poller.saved.handOvers.length).toBeLessThan(4);
});

test('a slow service gets parts that fit the time', async () => {
	const service = new ListService();
	for (let n = 0; n < 5000; n++) service.rows.set(`c${n}`, START + n);
	let clock = 0;
	service.beforeAnswer = () => (clock += 1000);
	const found = await collect(service.fetchPage, {
		since: START,
		until: START + 10_000,
		from: START,
		isHanded: () => false,
		maxRows: 100_000,
		deadline: 20_000,
		concurrency: 1,
		now: () => clock,
	});
	expect(found.rows.length).toBeGreaterThan(0);
	expect(found.rows.length).toBeLessThan(1500);
	expect(clock).toBeLessThan(40_000);
	expect(found.rows.every(({ processed }) => processed <= found.checkpoint)).toBe(true);
});

test('many conversations of the same millisecond go together', async () => {
	const service = new ListService();
	const poller = new Poller(service, 10);
	for (let n = 0; n < 60; n++) service.rows.set(`c${n}`, START + 500);
	service.rows.set('next', START + 501);
	while ((await poller.poll()) > 0);
	expect([...poller.handedOver].sort()).toEqual(ids(service));
});

test('a damaged position is told, not begun anew in silence', () => {
	expect(readCursor(undefined)).toBeUndefined();
	expect(() => readCursor({ checkpoint: 'yesterday' })).toThrow(
		/cannot be read\. Set Start From to Date and choose another Start Date/,
	);
});
