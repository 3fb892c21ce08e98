import fc from 'fast-check';
import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';
import { readFilter } from '../../../../nodes/shared/selection/filters';
import { isNamed, nameSearches } from '../../../../nodes/shared/selection/names';
import { scriptedService } from '../http/scriptedService';

type Method = keyof typeof nameSearches;

/** Loads a list from a service with so many pages of conversations, of which some fail. */
async function load(
	method: Method,
	rowsOf: (page: number) => object[],
	{ pages = 1, failing = [0], search = '' } = {},
) {
	const { context, sent } = scriptedService({
		responses: [
			async ({ body }) => {
				const { page = 1 } = JSON.parse(String(body)) as { page?: number };
				const rows = rowsOf(page);
				const data = { conversations: rows, users: rows, totalConversations: pages * 50 };
				return failing.includes(page) ? { statusCode: 401 } : { statusCode: 200, body: JSON.stringify(data) };
			},
		],
	});
	const loaded = nameSearches[method].call(context as unknown as ILoadOptionsFunctions, search);
	return { sent, results: (await loaded).results };
}

const namesOf = ({ results }: Awaited<ReturnType<typeof load>>) => results.map(({ name }) => name);
const bodiesOf = ({ sent }: Awaited<ReturnType<typeof load>>) =>
	sent.map(({ options }) => JSON.parse(String(options.body)) as IDataObject);

const CALLS = [
	{
		outcome: 'Sold ',
		checklists: [
			{ checklistName: 'Discovery', trackerData: [{ trackerName: 'Budget' }, { trackerName: '' }, null] },
		],
		aiTrackers: [{ checklistName: 'Close', trackerName: 'price' }, { trackerName: 5 }],
	},
	{ outcome: 'so\u200bld', role: 'Owner', checklists: null },
	{ outcome: null, role: 'Rep', aiTrackers: [{ trackerName: 'Ärger' }, { trackerName: 'BUDGET' }] },
];

test.each<[Method, string[]]>([
	['outcomeNames', ['so\u200bld']],
	['checklistNames', ['Discovery']],
	['trackerNames', ['Ärger', 'BUDGET', 'price']],
	['roleNames', ['Owner', 'Rep']],
])('%s lists each name once, sorted', async (method, names) => {
	expect(namesOf(await load(method, () => CALLS))).toEqual(names);
});

test.each([
	['budg', ['Confirmed budget']],
	['BUDGET confirmed', ['Confirmed budget']],
	['arger', ['Ärger']],
	['%', ['Ärger', 'Confirmed budget']],
	['x', []],
])('a search for %j finds %j', async (search, names) => {
	const calls = ['Confirmed budget', 'Ärger'].map((outcome) => ({ outcome }));
	expect(namesOf(await load('outcomeNames', () => calls, { search }))).toEqual(names);
});

test.each([
	[0, [1]],
	[1, [1]],
	[2, [1, 2]],
	[4, [1, 2, 3, 4]],
	[201, [1, 67, 134, 201]],
])('of %i pages, the conversations of the last 90 days on the pages %j are read', async (pages, read) => {
	const loaded = await load('outcomeNames', (page) => [{ outcome: `Page ${page}` }], { pages });
	expect(namesOf(loaded)).toEqual(read.map((page) => `Page ${page}`).sort());
	const bodies = bodiesOf(loaded);
	expect(bodies.map(({ page }) => page)).toEqual(read);
	for (const { fromDate, toDate, limit } of bodies) {
		expect(limit).toBe(50);
		expect((Date.parse(String(toDate)) - Date.parse(String(fromDate))) / 86_400_000).toBe(90);
	}
	for (const { options } of loaded.sent) expect(options.timeout).toBeLessThanOrEqual(10_000);
});

test('names of the pages that could be read are listed, if the first one could', async () => {
	const rowsOf = (page: number) => [{ outcome: `Page ${page}` }];
	expect(namesOf(await load('outcomeNames', rowsOf, { pages: 4, failing: [2, 4] }))).toEqual([
		'Page 1',
		'Page 3',
	]);
	await expect(load('outcomeNames', rowsOf, { failing: [1] })).rejects.toMatchObject({
		details: { status: 401 },
	});
});

test('a name that n8n would run is not listed, and the list says so', async () => {
	const calls = ['={{ $env }}', ' =1, 2', 'b=', 'Sold'].map((outcome) => ({ outcome }));
	const loaded = await load('outcomeNames', () => calls);
	expect(namesOf(loaded)).toEqual(['b=', 'Sold', 'Not listed: 2, because a name begins with "="']);
	for (const { name, value } of loaded.results) expect(`${name}${value}`).not.toMatch(/^=/);
});

test('what is picked is read as that one name, whatever is in it', async () => {
	const name = fc
		.string({ unit: fc.constantFrom('a', 'B', ',', '"', '“', '”', '[', ']', ';', ' ', '\n', "'") })
		.filter((text) => /[a-z]/i.test(text));
	await fc.assert(
		fc.asyncProperty(name, async (outcome) => {
			const { results } = await load('outcomeNames', () => [{ outcome }]);
			const picked = { __rl: true, mode: 'list', value: results[0].value };
			const { outcome: read } = readFilter({ outcome: picked }, { type: '', parameters: {} });
			expect(read).toHaveLength(1);
			expect(isNamed(read!, [outcome])).toBe(true);
		}),
	);
});
