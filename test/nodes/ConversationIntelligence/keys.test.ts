import type { IDataObject, INode } from 'n8n-workflow';
import { sandboxExport } from './exportNode';
import { LISTS } from './listing';

const EVERY_KIND = { options: { alsoInclude: ['awaitingUpload', 'errored'] } };
const CASES = { ...LISTS, 'all kinds': EVERY_KIND, transcripts: { options: { includeTranscript: true } } };
const CHOICES: IDataObject[] = [
	{ output: 'raw' },
	{ output: 'simplified' },
	{ output: 'selectedFields', fields: ['name', 'duration', 'user', 'user.email', 'userName', 'duratoin'] },
];

describe('The rows of a list', () => {
	const { sandbox, run: list } = sandboxExport({
		conversations: 70,
		awaitingUpload: 60,
		errored: 55,
	});

	const run = async (parameters: object, onError: INode['onError'] = 'continueErrorOutput') =>
		await list(parameters, { onError });
	const keysOf = (items: Array<{ json: IDataObject }>) => [
		...new Set(items.map(({ json }) => Object.keys(json).sort().join(' '))),
	];

	const cases = Object.entries(CASES).flatMap(([kind, parameters]) =>
		CHOICES.map((choice) => [kind, choice, { ...parameters, ...choice }] as const),
	);

	test.each(cases)('of %s with %j have the same keys, whatever fails', async (_kind, _choice, parameters) => {
		const { items, errorItems } = await run(parameters);
		expect(errorItems).toEqual([]);
		expect(items.length).toBeGreaterThan(0);
		expect(keysOf(items)).toHaveLength(1);

		const [unreadable] = sandbox.control.conversationIds(60);
		sandbox.faults.add({ kind: 'unreadableRow', status: 400, text: unreadable });
		sandbox.faults.add({ kind: 'htmlPage', status: 404, every: 7, path: '/transcripts/' });
		const failing = await run(parameters);
		expect([...keysOf(failing.items), ...keysOf(items)]).toEqual(Array(2).fill(keysOf(items)[0]));
		const keysOfErrors = failing.errorItems.map(({ json }) => Object.keys(json).join());
		expect([...new Set(keysOfErrors)].filter((keys) => keys !== 'error,message,details')).toEqual([]);
		expect(failing.items.length + failing.errorItems.length).toBeGreaterThan(0);
	});

	test('are named by the fields that none of them has', async () => {
		const chosen = { output: 'selectedFields', fields: ['duratoin', 'user.email', 'userName'] };
		const { items, hints } = await run(chosen);
		expect(keysOf(items)).toEqual(['conversationId duratoin user.email userName']);
		expect(items[0].json['user.email']).toMatch(/@/);
		expect(items[0].json.userName).toEqual(expect.any(String));
		expect(hints.map(({ message }) => message)).toEqual([
			'No row has the field "duratoin": check its spelling.',
		]);
	});
});
