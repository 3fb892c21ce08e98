import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { Item } from './item';
import { runKeyed } from '../concurrency/runKeyed';
import { findOperation, type PreparedItem, type Resource } from './operation';

type Ready = PreparedItem & { item: Item };

/**
 * Runs the chosen operation: reads and checks every item, then executes them, those with the same key strictly in
 * input order. Each output is linked to its input item and in its place.
 *
 * Without Continue On Fail nothing is sent while any item is unusable, and the first failure stops the rest. With it,
 * a failed item becomes one that carries the message, and the others continue.
 *
 * @throws NodeOperationError for an item that cannot be sent, NodeApiError for one that the service refused, each naming
 *   the item; NodeOperationError for an operation that does not exist
 */
export async function executeOperation(
	context: IExecuteFunctions,
	resources: Resource[],
): Promise<INodeExecutionData[][]> {
	const items = context.getInputData().map((_, index) => new Item(context, index));
	if (items.length === 0) return [[]];
	const output: INodeExecutionData[][] = [];
	const run = findOperation(context, resources).start(context);
	const fail = (error: unknown, item: Item) => {
		if (context.continueOnFail()) {
			output[item.index] = [item.failed(error)];
			return;
		}
		const reason = item.nodeError(error);
		run.stop?.(reason);
		throw reason;
	};

	const ready: Ready[] = [];
	for (const item of items) {
		try {
			ready.push({ ...run.prepare(item), item });
		} catch (error) {
			fail(error, item);
		}
	}
	run.prepared?.();
	const keyOf = ({ key, item }: Ready) => key ?? item.index;
	await runKeyed(ready, { concurrency: run.concurrency ?? 1, keyOf }, async ({ execute, item }) => {
		try {
			const results = await execute();
			output[item.index] = results.map((result) => ({ ...result, pairedItem: { item: item.index } }));
		} catch (error) {
			fail(error, item);
		}
	});
	return [output.flat()];
}
