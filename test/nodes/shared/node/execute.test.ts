import { NodeOperationError, UserError, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';
import { executeOperation } from '../../../../nodes/shared/node/execute';
import type { OperationRun, PreparedItem, Resource } from '../../../../nodes/shared/node/operation';
import { requestRun } from '../../../../nodes/shared/http';
import { CodedError } from '../../../../nodes/shared/errors/codedError';
import { NODE } from '../http/scriptedService';

const REFUSED = new CodedError({ code: 'title_missing', message: 'Title is missing', advice: 'Fill it.' });
const DETAILS = { code: 'title_missing', retryable: false };

interface Case {
	/** JSON of the input items. */
	input?: IDataObject[];
	continueOnFail?: boolean;
	run?: Partial<OperationRun>;
	prepare?: (json: IDataObject) => PreparedItem;
	chosen?: IDataObject;
	start?: (context: IExecuteFunctions) => void;
	cancelled?: AbortSignal;
}

const echo = (json: IDataObject): PreparedItem => ({ execute: async () => [{ json: { done: json.id } }] });

async function execute({
	input = [{ id: 'a' }, { id: 'b' }, { id: 'c' }],
	continueOnFail = false,
	run = {},
	prepare = echo,
	chosen = { resource: 'team', operation: 'getAll' },
	start: begin,
	cancelled,
}: Case) {
	const context = {
		getInputData: () => input.map((json) => ({ json })),
		getNode: () => NODE,
		getNodeParameter: (name: string) => chosen[name],
		continueOnFail: () => continueOnFail,
		addExecutionHints: () => {},
		getExecutionCancelSignal: () => cancelled,
	} as unknown as IExecuteFunctions;
	const start = (): OperationRun => {
		begin?.(context);
		return { prepare: (item) => prepare(item.json), ...run };
	};
	const option = { name: 'Get Many', value: 'getAll', action: 'Get many teams' };
	const resources: Resource[] = [
		{ option: { name: 'Other', value: 'other' }, operations: [] },
		{ option: { name: 'Team', value: 'team' }, operations: [{ option, properties: [], start }] },
	];
	const [output] = await executeOperation(context, resources);
	return output;
}

const failOn = (id: string, error: unknown) => (json: IDataObject) => {
	if (json.id === id) throw error;
	return echo(json);
};
const failLater = (id: string, error: unknown) => (json: IDataObject) =>
	json.id === id ? { execute: async () => await Promise.reject(error as Error) } : echo(json);

describe('An operation', () => {
	test('returns the output of each item in its place, linked to it', async () => {
		const twice = (json: IDataObject): PreparedItem => ({
			execute: async () => [{ json: { first: json.id } }, { json: { second: json.id } }],
		});
		expect(await execute({ prepare: twice, input: [{ id: 'a' }, { id: 'b' }] })).toStrictEqual([
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
			const prepare = (): PreparedItem => ({
				key,
				async execute() {
					started++;
					highest = Math.max(highest, ++open);
					while (key === undefined && started < 200) await new Promise(setImmediate);
					open--;
					return [];
				},
			});
			await execute({ input: Array.from({ length: 250 }, () => ({})), prepare });
			return highest;
		};
		expect([await maxInFlight(), await maxInFlight('file')]).toEqual([200, 1]);
	});

	test('says once when all items are prepared, before the first is executed', async () => {
		const events: string[] = [];
		const prepare = ({ id }: IDataObject): PreparedItem => {
			events.push(`prepare ${String(id)}`);
			return {
				async execute() {
					events.push(`execute ${String(id)}`);
					return [];
				},
			};
		};
		const run = { prepared: () => void events.push('prepared') };
		await execute({ input: [{ id: 1 }, { id: 2 }], prepare, run });
		expect(events).toEqual(['prepare 1', 'prepare 2', 'prepared', 'execute 1', 'execute 2']);
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

describe('An item that fails', () => {
	test.each([
		['to be read', failOn, 'Fill it.'],
		['to be executed', failLater, 'Fill it. 2 of 3 items were processed.'],
	])('%s ends the run with its number, and every request that waits', async (_name, fail, description) => {
		let signal: AbortSignal | undefined;
		const start = (context: IExecuteFunctions) => void (signal = requestRun(context).signal);
		const failed = execute({ prepare: fail('b', REFUSED), start });
		await expect(failed).rejects.toMatchObject({
			message: 'Title is missing',
			description,
			context: { itemIndex: 1 },
		});
		if (fail === failLater) expect(signal?.aborted).toBe(true);
	});

	test('is named with all other unusable ones, the first ten of them in full', async () => {
		const input = Array.from({ length: 14 }, (_, index) => ({ id: index === 1 ? 'good' : `bad-${index}` }));
		const prepare = (json: IDataObject) => {
			if (json.id !== 'good') throw REFUSED;
			return echo(json);
		};
		const named = [0, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((index) => `Title is missing [Item ${index}]`);
		await expect(execute({ input, prepare })).rejects.toMatchObject({
			message: '13 of 14 items cannot be used: Title is missing',
			description: `Fill it. All unusable items: ${named.join('; ')}; and 3 more.`,
		});
		await expect(execute({ input: input.slice(0, 11), prepare })).rejects.toMatchObject({
			description: `Fill it. All unusable items: ${named.join('; ')}.`,
		});
	});

	test('counts only what was processed, even if an earlier item fails later', async () => {
		const prepare = ({ id }: IDataObject): PreparedItem => ({
			async execute() {
				if (id === 'b') return [];
				await new Promise(setImmediate);
				throw REFUSED;
			},
		});
		const input = [{ id: 'a' }, { id: 'b' }];
		await expect(execute({ input, prepare })).rejects.toMatchObject({
			description: 'Fill it. 1 of 2 items were processed.',
		});
	});

	test('gets no blanks in place of advice that it lacks', async () => {
		const error = new UserError('Gone');
		const input = [{ id: 'a' }, { id: 'b' }];
		await expect(execute({ input, prepare: failLater('b', error) })).rejects.toMatchObject({
			description: '1 of 2 items were processed.',
		});
		const prepare = () => {
			throw error;
		};
		await expect(execute({ input, prepare })).rejects.toMatchObject({
			description: 'All unusable items: Gone [Item 0]; Gone [Item 1].',
		});
	});

	test('is named by its operation, once', async () => {
		const message = 'Title is missing (Event ID "crm-1")';
		const run: Partial<OperationRun> = {
			prepare(item) {
				item.ids.eventId = 'crm-1';
				return { execute: async () => await Promise.reject(item.nodeError(REFUSED)) };
			},
		};
		await expect(execute({ run, input: [{}] })).rejects.toMatchObject({ message, description: 'Fill it.' });
		const output = await execute({ run, input: [{}], continueOnFail: true });
		expect(output[0].json).toStrictEqual({
			error: message,
			message: 'Fill it.',
			details: { ...DETAILS, eventId: 'crm-1' },
		});
	});

	test.each([
		['to be read', failOn],
		['to be executed', failLater],
	])('%s fails alone under Continue On Fail, in its place', async (_name, fail) => {
		let signal: AbortSignal | undefined;
		const start = (context: IExecuteFunctions) => void (signal = requestRun(context).signal);
		const output = await execute({ prepare: fail('b', REFUSED), continueOnFail: true, start });
		expect(output).toStrictEqual([
			{ json: { done: 'a' }, pairedItem: { item: 0 } },
			{ json: { error: 'Title is missing', message: 'Fill it.', details: DETAILS }, pairedItem: { item: 1 } },
			{ json: { done: 'c' }, pairedItem: { item: 2 } },
		]);
		expect(signal?.aborted).toBe(false);
	});

	test.each<[string, unknown, string]>([
		['an error without advice', new UserError('Title is missing'), 'Title is missing'],
		['an error that is not for users', new Error('x is undefined'), 'x is undefined'],
		['a thrown text', 'broken', 'broken'],
	])('has an empty message with %s', async (_name, error, message) => {
		const output = await execute({ prepare: failOn('a', error), continueOnFail: true });
		expect(output[0].json).toStrictEqual({
			error: message,
			message: '',
			details: { code: 'n8n_error', retryable: false },
		});
	});

	test('keeps the error of a node as it is', async () => {
		const error = new NodeOperationError(NODE, 'Already said', { description: 'Do this.' });
		await expect(execute({ prepare: failOn('b', error) })).rejects.toBe(error);
		expect({ message: error.message, description: error.description }).toEqual({
			message: 'Already said',
			description: 'Do this.',
		});
	});
});

test("a long run gives n8n's event loop turns while it prepares items, and ends when it is stopped", async () => {
	const stop = new AbortController();
	const input = Array.from({ length: 1000 }, (_, id) => ({ id }));
	let prepared = 0;
	// Each item takes a millisecond.
	jest.spyOn(performance, 'now').mockImplementation(() => prepared);
	const prepare = (json: IDataObject): PreparedItem => {
		if (++prepared === 130) setTimeout(() => stop.abort(new Error('stopped')));
		return echo(json);
	};
	await expect(execute({ input, prepare, cancelled: stop.signal })).rejects.toThrow('stopped');
	expect(prepared).toBeLessThanOrEqual(140);
});
