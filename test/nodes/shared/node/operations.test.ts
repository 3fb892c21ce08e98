import { NodeOperationError, UserError, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';
import type { Item } from '../../../../nodes/shared/node/item';
import { executeOperation, type Operation, type Resource } from '../../../../nodes/shared/node/operations';
import { RequestError } from '../../../../nodes/shared/http/response';
import { requestRun } from '../../../../nodes/shared/http/requestRun';
import { CodedError } from '../../../../nodes/shared/base/errors';
import { NODE } from '../http/scriptedService';

const REFUSED = new CodedError({ code: 'title_missing', message: 'Title is missing', advice: 'Fill it.' });
const DETAILS = { code: 'title_missing', retryable: false };

const jsonOf = ({ context, index }: Item) => context.getInputData()[index].json;

interface Case extends Partial<Omit<Operation<IDataObject>, 'option' | 'properties'>> {
	/** JSON of the input items. */
	input?: IDataObject[];
	continueOnFail?: boolean;
	chosen?: IDataObject;
	cancelled?: AbortSignal;
	/** What n8n offers to this run. */
	offered?: Partial<IExecuteFunctions>;
}

/** Executes an operation that returns the ID of each item; `read` finds the JSON of the item. */
async function execute({
	input = [{ id: 'a' }, { id: 'b' }, { id: 'c' }],
	continueOnFail = false,
	chosen = { resource: 'team', operation: 'getAll' },
	cancelled,
	offered,
	...operation
}: Case) {
	const context = {
		getInputData: () => input.map((json) => ({ json })),
		getNode: () => NODE,
		getNodeParameter: (name: string) => chosen[name],
		continueOnFail: () => continueOnFail,
		addExecutionHints: () => {},
		getMode: () => 'manual',
		getExecutionCancelSignal: () => cancelled,
		...offered,
	} as unknown as IExecuteFunctions;
	const getAll: Operation<IDataObject> = {
		option: { name: 'Get Many', value: 'getAll', action: 'Get many teams' },
		properties: [],
		read: jsonOf,
		execute: async (_item, { id }) => [{ json: { done: id } }],
		...operation,
	};
	const resources: Resource[] = [
		{ option: { name: 'Other', value: 'other' }, operations: [] },
		{ option: { name: 'Team', value: 'team' }, operations: [getAll] },
	];
	const [output] = await executeOperation(context, resources);
	return output;
}

/** Refuses item b, while it is read or while it is executed. */
const read: Operation<IDataObject>['read'] = (item) => {
	if (jsonOf(item).id === 'b') throw REFUSED;
	return jsonOf(item);
};
const executeNot: Operation<IDataObject>['execute'] = async (_item, { id }) => {
	if (id === 'b') throw REFUSED;
	return [{ json: { done: id } }];
};

describe('An operation', () => {
	test('returns the output of each item in its place, linked to it, and starts once for all', async () => {
		let now = 0;
		jest.spyOn(Date, 'now').mockImplementation(() => ++now);
		const output = await execute({ read: ({ startedAt }) => ({ id: startedAt }) });
		expect(output.map(({ json }) => json)).toEqual([{ done: 1 }, { done: 1 }, { done: 1 }]);
		const twice: Case['execute'] = async (_item, { id }) => [
			{ json: { first: id } },
			{ json: { second: id } },
		];
		expect(await execute({ execute: twice, input: [{ id: 'a' }, { id: 'b' }] })).toStrictEqual([
			{ json: { first: 'a' }, pairedItem: { item: 0 } },
			{ json: { second: 'a' }, pairedItem: { item: 0 } },
			{ json: { first: 'b' }, pairedItem: { item: 1 } },
			{ json: { second: 'b' }, pairedItem: { item: 1 } },
		]);
	});

	test('does nothing without items, whatever is chosen', async () => {
		expect(await execute({ input: [], chosen: {} })).toStrictEqual([]);
	});

	test('executes 200 items side by side, and those with the same key one after another', async () => {
		const maxInFlight = async (key?: string) => {
			let [started, open, highest] = [0, 0, 0];
			await execute({
				input: Array.from({ length: 250 }, () => ({})),
				key: () => key,
				async execute() {
					started++;
					highest = Math.max(highest, ++open);
					while (key === undefined && started < 200) await new Promise(setImmediate);
					open--;
					return [];
				},
			});
			return highest;
		};
		expect([await maxInFlight(), await maxInFlight('file')]).toEqual([200, 1]);
	});

	test('compares once what was read of all usable items, before the first is executed', async () => {
		const events: unknown[] = [];
		await execute({
			continueOnFail: true,
			read,
			afterRead(inputs) {
				events.push(inputs.map(({ id }) => id));
			},
			async execute(_item, { id }) {
				events.push(id);
				return [];
			},
		});
		expect(events).toEqual([['a', 'c'], 'a', 'c']);
	});

	test.each([
		['resource', { resource: 'cat', operation: 'getAll' }],
		['operation', { resource: 'team', operation: 'cat' }],
		['operation of another resource', { resource: 'other', operation: 'getAll' }],
	])('that does not exist is refused by name: its %s', async (_name, chosen) => {
		await expect(execute({ chosen })).rejects.toMatchObject({
			constructor: NodeOperationError,
			message: `There is no operation "${chosen.operation}" for the resource "${chosen.resource}"`,
			description: 'Choose the resource and the operation again in the node.',
		});
	});
});

test.each([
	['manual', []],
	['trigger', [['Weekly: Export: Two rows are new', expect.objectContaining({ workflowId: '7' })]]],
] as const)('a run by "%s" logs a warning unless a person looks at it', async (mode, lines) => {
	const [warn, addExecutionHints] = [jest.fn(), jest.fn()];
	const offered = {
		addExecutionHints,
		getMode: () => mode,
		logger: { warn } as never,
		getWorkflow: () => ({ id: '7', name: 'Weekly', active: true }),
	};
	const read: Case['read'] = (item) => {
		item.hint('The first 3 of 5', 'info');
		return {};
	};
	await execute({ input: [{}], read, warningsOf: () => ['Two rows are new'], offered });
	expect(warn.mock.calls).toEqual(lines);
	expect(addExecutionHints.mock.calls.flat()).toMatchObject([{ type: 'info' }, { type: 'warning' }]);
});

describe('An item that fails', () => {
	test.each([
		['to be read', { read }, 'Fill it.'],
		['to be executed', { execute: executeNot }, 'Fill it.<br />2 of 3 items were processed.'],
	])(
		'%s ends the run with its number, or under Continue On Fail fails alone',
		async (_, failing, description) => {
			const context = { itemIndex: 1 };
			const message = 'Title is missing';
			await expect(execute(failing)).rejects.toMatchObject({ message, description, context });
			expect(await execute({ ...failing, continueOnFail: true })).toStrictEqual([
				{ json: { done: 'a' }, pairedItem: { item: 0 } },
				{
					json: { error: message, message: 'Fill it.', details: { ...DETAILS, item: 1 } },
					pairedItem: { item: 1 },
				},
				{ json: { done: 'c' }, pairedItem: { item: 2 } },
			]);
		},
	);

	test.each([false, true])(
		'ends every request that waits, unless Continue On Fail is %s',
		async (continueOnFail) => {
			let signal: AbortSignal | undefined;
			const failing: Case['execute'] = async ({ context }) => {
				signal = requestRun(context).signal;
				throw REFUSED;
			};
			await execute({ execute: failing, continueOnFail }).catch(() => {});
			expect(signal?.aborted).toBe(!continueOnFail);
		},
	);

	test.each([
		['unless the operation tries all', RequestError, true, 2],
		['by default', RequestError, false, 1],
		['if its cause is no response of the service', CodedError, true, 1],
	])('stops the rest %s', async (_when, Thrown, triesAll, processed) => {
		const failing: Case['execute'] = async (_item, { id }) => {
			if (id !== 'b') return [{ json: {} }];
			throw new Thrown({ code: 'gone', message: 'Gone', advice: 'Fill it.' });
		};
		await expect(
			execute({ execute: failing, triesAll, key: () => 'one after another' }),
		).rejects.toMatchObject({ description: `Fill it.<br />${processed} of 3 items were processed.` });
	});

	test('to be read stops the run before it starts, unless the operation tries all', async () => {
		await expect(execute({ read })).rejects.toMatchObject({ description: 'Fill it.' });
		await expect(execute({ read, triesAll: true })).rejects.toMatchObject({
			description: 'Fill it.<br />2 of 3 items were processed.',
		});
	});

	test('is named with all other unusable ones, the first ten of them in full', async () => {
		const input = Array.from({ length: 14 }, (_, index) => ({ id: index === 1 ? 'good' : `bad-${index}` }));
		const refuse: Case['read'] = (item) => {
			if (jsonOf(item).id === 'good') return jsonOf(item);
			item.ids.eventId = `<b>${item.index}`;
			throw new UserError('Gone', { description: item.index > 3 ? 'Fill it.' : `Fill\n${item.index}.` });
		};
		const bad = [0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13];
		const causes = bad.map((item) => ({ code: 'n8n_error', retryable: false, item, eventId: `<b>${item}` }));
		const advice: Record<number, string> = { 0: ' Fill 0.' };
		const named = bad
			.slice(0, 10)
			.map((index) => `&lt;b>${index} [Item ${index}]: Gone.${advice[index] ?? ''}`)
			.join('<br />');
		await expect(execute({ input, read: refuse })).rejects.toMatchObject({
			message: '13 of 14 items were refused: Gone (Event ID "‹b>0")',
			description: `${named}<br />and 3 more`,
			context: { itemIndex: 0, details: { code: 'items_refused', retryable: false, causes } },
		});
		await expect(execute({ input: input.slice(0, 11), read: refuse })).rejects.toMatchObject({
			description: named,
		});
	});

	test('says the warnings of the items that were executed, because n8n shows no hints of a failed run', async () => {
		const warningsOf: Case['warningsOf'] = (inputs) => inputs.map(({ id }) => `<i>${String(id)}`);
		const failing: Case['execute'] = async (item, input) => {
			item.hint('Read', 'info');
			if (input.id === 'b') throw new RequestError({ code: 'gone', message: 'Gone', advice: 'Fill it.' });
			return [];
		};
		const run = { read: jsonOf, execute: failing, triesAll: true, warningsOf };
		const many = Array.from({ length: 13 }, (_, index) => ({ id: index === 1 ? 'b' : `${index}` }));
		for (const [input, said, warnings] of [
			[[{ id: 'a' }, { id: 'b' }], '1 of 2 items were processed.<br />Warnings:<br />&lt;i>a', ['<i>a']],
			[many, expect.stringMatching(/<br \/>&lt;i>10<br \/>and 2 more$/), expect.arrayContaining(['<i>12'])],
		] as const) {
			const description = typeof said === 'string' ? `Fill it.<br />${said}` : said;
			const details = { code: 'gone', retryable: false, item: 1, warnings };
			const context = { itemIndex: 1, details };
			await expect(execute({ ...run, input: [...input] })).rejects.toMatchObject({ description, context });
		}
		await expect(execute({ ...run, input: [{ id: 'b' }] })).rejects.toMatchObject({
			description: 'Fill it.',
		});
	});

	test('counts only what was processed, even if an earlier item fails later', async () => {
		const failLate: Case['execute'] = async (_item, { id }) => {
			if (id === 'b') return [];
			await new Promise(setImmediate);
			throw REFUSED;
		};
		const input = [{ id: 'a' }, { id: 'b' }];
		await expect(execute({ input, execute: failLate })).rejects.toMatchObject({
			description: 'Fill it.<br />1 of 2 items were processed.',
		});
	});

	test('is named by its operation, once', async () => {
		const message = 'Title is missing (Event ID "crm-1")';
		const failing: Case['execute'] = async (item) => {
			item.ids.eventId = 'crm-1';
			throw item.nodeError(REFUSED);
		};
		const one = { execute: failing, input: [{}] };
		await expect(execute(one)).rejects.toMatchObject({ message, description: 'Fill it.' });
		const output = await execute({ ...one, continueOnFail: true });
		expect(output[0].json).toStrictEqual({
			error: message,
			message: 'Fill it.',
			details: { ...DETAILS, item: 0, eventId: 'crm-1' },
		});
	});
});

test.each([
	['reads', 'read', 140],
	['executes', 'execute', 200],
])(
	"a long run gives n8n's event loop turns while it %s items, and ends when it is stopped",
	async (_does, step, max) => {
		const stop = new AbortController();
		const input = Array.from({ length: 1000 }, (_, id) => ({ id }));
		let items = 0;
		// Each item takes a millisecond.
		jest.spyOn(performance, 'now').mockImplementation(() => items);
		const slow = () => {
			if (++items === 130) setTimeout(() => stop.abort(new Error('stopped')));
			return [];
		};
		const steps = { read: jsonOf, execute: async () => [], [step]: slow };
		await expect(execute({ input, ...steps, cancelled: stop.signal })).rejects.toThrow('stopped');
		expect(items).toBeLessThanOrEqual(max);
	},
);
