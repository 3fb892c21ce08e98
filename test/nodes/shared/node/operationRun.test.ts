import {
	NodeOperationError,
	UserError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeParameters,
} from 'n8n-workflow';
import type { Item } from '../../../../nodes/shared/node/item';
import { executeOperation } from '../../../../nodes/shared/node/operationRun';
import type { Operation, Resource } from '../../../../nodes/shared/node/resources';
import { RequestError } from '../../../../nodes/shared/http/requestErrors';
import { orAborted, requestRun } from '../../../../nodes/shared/http/requestRun';
import { CodedError } from '../../../../nodes/shared/base/codedErrors';
import { NODE } from '../http/scriptedService';

const TITLE = { code: 'title_missing', message: 'Title is missing', advice: 'Fill it.' };
const REFUSED = new CodedError(TITLE);
const DETAILS = { code: 'title_missing', retryable: false };

const jsonOf = ({ context, index }: Item) => context.getInputData()[index].json;

const LISTED = { name: 'Get Many', value: 'getAll', action: 'Get many teams' };

interface Case extends Partial<Omit<Operation<IDataObject>, 'properties'>> {
	/** JSON of the input items. */
	input?: IDataObject[];
	continueOnFail?: boolean;
	chosen?: IDataObject;
	/** What n8n offers to this run. */
	offered?: Partial<IExecuteFunctions>;
}

/** Executes an operation that returns the ID of each item; `read` finds the JSON of the item. */
async function execute({
	input = [{ id: 'a' }, { id: 'b' }, { id: 'c' }],
	continueOnFail = false,
	chosen = { resource: 'team', operation: 'getAll' },
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
		...offered,
	} as unknown as IExecuteFunctions;
	const getAll: Operation<IDataObject> = {
		option: LISTED,
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

/** Refuses item b. */
const read: Operation<IDataObject>['read'] = (item) => {
	if (jsonOf(item).id === 'b') throw REFUSED;
	return jsonOf(item);
};

/** Runs an item, and says how the run ends. */
const run = async (given: Case) => await execute(given).catch((error: unknown) => error);

describe('An operation', () => {
	test('returns the output of each item in its place, linked to it, and starts once for all', async () => {
		let now = 0;
		jest.spyOn(Date, 'now').mockImplementation(() => ++now);
		const twice: Case['execute'] = async ({ startedAt }, { id }) => [
			{ json: { first: id, startedAt } },
			{ json: { second: id } },
		];
		expect(await execute({ execute: twice, input: [{ id: 'a' }, { id: 'b' }] })).toStrictEqual([
			{ json: { first: 'a', startedAt: 1 }, pairedItem: { item: 0 } },
			{ json: { second: 'a' }, pairedItem: { item: 0 } },
			{ json: { first: 'b', startedAt: 1 }, pairedItem: { item: 1 } },
			{ json: { second: 'b' }, pairedItem: { item: 1 } },
		]);
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

	test.each<[boolean, string, INodeParameters, Partial<Case>]>([
		[true, 'getMissing', { returnAll: true, fromDate: '={{ $today.minus({ days: 7 }) }}' }, {}],
		[false, 'getMissing', { fromDate: '={{ $json.day }}' }, {}],
		[false, 'getMissing', { fromDate: "={{ $('Days').item.json.day }}" }, {}],
		[false, 'getMissing', {}, { input: [{}] }],
		[false, 'getMissing', {}, { key: () => 'written' }],
		[false, 'getAll', {}, {}],
	])('says (%s) that every item ran the same %s with %j', async (isSaid, value, parameters, more) => {
		const addExecutionHints = jest.fn();
		const offered = { addExecutionHints, getNode: () => ({ ...NODE, parameters }) };
		const chosen = { resource: 'team', operation: value };
		await execute({ ...more, chosen, option: { ...LISTED, value }, offered });
		const message = expect.stringMatching(
			/^Each of the 3 input items ran the same operation\. .* Execute Once/,
		) as string;
		expect(addExecutionHints.mock.calls).toEqual(
			isSaid ? [[expect.objectContaining({ message, type: 'info' })]] : [],
		);
	});

	test('compares once what was read of all usable items, before the first is executed', async () => {
		const events: unknown[] = [];
		await execute({
			continueOnFail: true,
			read,
			afterRead: (inputs) => void events.push(inputs.map(({ id }) => id)),
			async execute(_item, { id }) {
				events.push(id);
				return [];
			},
		});
		expect(events).toEqual([['a', 'c'], 'a', 'c']);
	});

	test.each([
		['cat', 'getAll'],
		['team', 'cat'],
		['other', 'getAll'],
	])('that does not exist is refused by name: of %s, %s', async (resource, operation) => {
		await expect(execute({ chosen: { resource, operation } })).rejects.toMatchObject({
			constructor: NodeOperationError,
			message: `There is no operation "${operation}" for the resource "${resource}"`,
			description: 'Choose the resource and the operation again in the node.',
		});
	});

	test.each([
		['manual', []],
		['trigger', [['Weekly: Export: Two rows are new', expect.objectContaining({ workflowId: '7' })]]],
	] as const)('run by "%s" logs a warning unless a person looks at it', async (mode, lines) => {
		const [warn, addExecutionHints] = [jest.fn(), jest.fn()];
		const getWorkflow = () => ({ id: '7', name: 'Weekly', active: true });
		const offered = { addExecutionHints, getMode: () => mode, logger: { warn } as never, getWorkflow };
		const read: Case['read'] = (item) => {
			item.hint('The first 3 of 5', 'info');
			return {};
		};
		await execute({ input: [{}], read, warningsOf: () => ['Two rows are new'], offered });
		expect(warn.mock.calls).toEqual(lines);
		expect(addExecutionHints.mock.calls.flat()).toMatchObject([{ type: 'info' }, { type: 'warning' }]);
	});

	test.each([
		['read', 140],
		['execute', 200],
	])("gives n8n's event loop turns to %s items, and ends when it is stopped", async (step, max) => {
		const stop = new AbortController();
		let items = 0;
		// Each item takes a millisecond.
		jest.spyOn(performance, 'now').mockImplementation(() => items);
		const slow = () => {
			if (++items === 130) setTimeout(() => stop.abort(new Error('stopped')));
			return [];
		};
		const offered = { getExecutionCancelSignal: () => stop.signal };
		const given = { input: Array<IDataObject>(1000).fill({}), offered, [step]: slow };
		await expect(execute(given)).rejects.toThrow('stopped');
		expect(items).toBeLessThanOrEqual(max);
	});
});

describe('An item that fails', () => {
	const of = (processed: number, items = 3) => `Fill it.<br />${processed} of ${items} items were processed.`;
	const refuse: Case['execute'] = async (_item, { id }) => {
		if (id === 'b') throw REFUSED;
		return [{ json: { done: id } }];
	};
	/** The second of two, after which the first one fails. */
	const late: Case['execute'] = async (_item, { id }) => {
		if (id === 'b') return [];
		await new Promise(setImmediate);
		throw REFUSED;
	};
	/** The second of two, which ends the first one. */
	const ending: Case['execute'] = async ({ context }, { id }) => {
		if (id === 'b') throw REFUSED;
		await orAborted(new Promise(() => undefined), requestRun(context).signal);
		return [];
	};
	const key = () => 'one after another';
	const two = [{ id: 'a' }, { id: 'b' }];
	const alone = [{ id: 'b' }];

	test.each<[string, Case, description: string, itemIndex?: number]>([
		['to be read ends the run before it starts', { read }, of(0)],
		['to be read does not stop one that tries all', { read, triesAll: true }, of(2)],
		['alone to be read stops one that tries all', { read, triesAll: true, input: alone }, 'Fill it.', 0],
		['to be executed ends the run', { execute: refuse }, of(2)],
		['to be executed stops the rest', { execute: refuse, key }, of(1)],
		['to be executed does not stop one that tries all', { execute: refuse, key, triesAll: true }, of(2)],
		['says what ended the others, not that they were', { execute: ending, input: two }, 'Fill it.', 1],
		['later than the next one does not count', { execute: late, input: two }, of(1, 2), 0],
	])('%s', async (_what, given, description, itemIndex = 1) => {
		const message = 'Title is missing';
		expect(await run(given)).toMatchObject({ message, description, context: { itemIndex } });
	});

	test('fails alone under Continue On Fail', async () => {
		const json = { error: 'Title is missing', message: 'Fill it.', details: { ...DETAILS, item: 1 } };
		for (const given of [{ read }, { execute: refuse }])
			expect(await execute({ ...given, continueOnFail: true })).toStrictEqual([
				{ json: { done: 'a' }, pairedItem: { item: 0 } },
				{ json, pairedItem: { item: 1 } },
				{ json: { done: 'c' }, pairedItem: { item: 2 } },
			]);
	});

	test('ends every request that waits, unless it is to continue on fail', async () => {
		const signals: AbortSignal[] = [];
		const execute: Case['execute'] = async ({ context }) => {
			signals.push(requestRun(context).signal);
			throw REFUSED;
		};
		for (const continueOnFail of [false, true]) await run({ input: alone, execute, continueOnFail });
		expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
	});

	test('is named with all other unusable ones, the first ten of them in full, and advice once', async () => {
		const input = [...Array(14).keys()].map((id) => ({ id }));
		const ids = (id: number) => ({ [id === 2 ? 'conversationId' : 'eventId']: `<b>${id}` });
		const refuse: Case['read'] = (item) => {
			const { index } = item;
			if (index === 1) return {};
			Object.assign(item.ids, ids(index));
			throw new UserError('Gone', { description: index > 3 ? 'Fill it.' : `Fill\n${index}.` });
		};
		const bad = [0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13];
		const lines = bad.map((id) => `&lt;b>${id} [Item ${id}]: Gone.${id === 0 ? ' Fill 0.' : ''}`);
		const named = lines.slice(0, 10).join('<br />');
		const causes = bad.map((item) => ({ code: 'n8n_error', retryable: false, item, ...ids(item) }));
		expect(await run({ input, read: refuse })).toMatchObject({
			message: '13 of 14 items failed: Gone (Event ID "‹b>0")',
			description: `${named}<br />and 3 more<br />0 of 14 items were processed.`,
			context: { itemIndex: 0, details: { code: 'items_failed', retryable: false, causes } },
		});
		expect(await run({ input: input.slice(0, 11), read: refuse })).toMatchObject({
			description: `${named}<br />0 of 11 items were processed.`,
		});
		// Without a count of those processed.
		const description = '[Item 0]: Title is missing. Fill it.<br />[Item 1]: Title is missing.';
		const none = { input: [...alone, ...alone], read, triesAll: true };
		expect(await run(none)).toMatchObject({ description });
	});

	test('leaves the warnings of the others in input order, whichever ends first', async () => {
		const slowFirst: Case['execute'] = async ({ index }) => {
			if (index === 0) await new Promise(setImmediate);
			return [];
		};
		const addExecutionHints = jest.fn();
		const warningsOf: Case['warningsOf'] = (inputs) => [inputs.map(({ id }) => id).join()];
		await execute({ execute: slowFirst, warningsOf, offered: { addExecutionHints } });
		expect(addExecutionHints.mock.calls).toMatchObject([[{ message: 'a,b,c' }]]);
	});

	test('is named in input order, whichever ends first', async () => {
		const execute: Case['execute'] = async ({ index }) => {
			if (index === 0) await new Promise(setImmediate);
			throw new RequestError({ code: 'gone', message: `Gone ${index}` });
		};
		const inOrder = { message: '2 of 2 items failed: Gone 0', context: { itemIndex: 0 } };
		expect(await run({ input: two, execute, triesAll: true })).toMatchObject(inOrder);
	});

	test('says the warnings of the items that were executed, because n8n shows no hints of a failed run', async () => {
		const warningsOf: Case['warningsOf'] = (inputs) => inputs.map(({ id }) => `<i>${String(id)}`);
		const description = async (input: IDataObject[]) => {
			const error = (await run({ input, execute: refuse, triesAll: true, warningsOf })) as NodeOperationError;
			return [error.description, (error.context.details as { warnings?: string[] }).warnings];
		};
		expect(await description(two)).toEqual([`${of(1, 2)}<br />Warnings:<br />&lt;i>a`, ['<i>a']]);
		expect(await description(alone)).toEqual(['Fill it.', undefined]);
		const many = [...two, ...[...Array(11).keys()].map((id) => ({ id }))];
		const [said, warnings] = await description(many);
		expect(said).toMatch(/<br \/>&lt;i>8<br \/>and 2 more$/);
		expect(warnings).toHaveLength(12);
	});

	test('is named by its operation, once', async () => {
		const message = 'Title is missing (Event ID "crm-1")';
		const failing: Case['execute'] = async (item) => {
			item.ids.eventId = 'crm-1';
			throw item.nodeError(REFUSED);
		};
		const one = { execute: failing, input: [{}] };
		expect(await run(one)).toMatchObject({ message, description: 'Fill it.' });
		const [{ json }] = await execute({ ...one, continueOnFail: true });
		const details = { ...DETAILS, item: 0, eventId: 'crm-1' };
		expect(json).toStrictEqual({ error: message, message: 'Fill it.', details });
	});
});
