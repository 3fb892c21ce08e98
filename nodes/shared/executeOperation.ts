import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { failedItem, toNodeError } from './itemError';
import { runKeyed } from './keyedTasks';
import { findOperation, type PreparedItem, type Resource } from './operation';

type Ready = PreparedItem & { itemIndex: number };

/**
 * Runs the chosen operation: reads and checks every item, then executes them, those with the same key strictly in
 * input order. Each output is linked to its input item and in its place.
 *
 * Without Continue On Fail nothing is sent while any item is unusable, and the first failure stops the rest. With it,
 * a failed item becomes one that carries the message, and the others go through.
 *
 * @throws NodeOperationError for an item that cannot be sent, NodeApiError for one that the service refused, each naming
 *   the item; NodeOperationError for an operation that does not exist
 */
export async function executeOperation(
	context: IExecuteFunctions,
	resources: Resource[],
): Promise<INodeExecutionData[][]> {
	const { length } = context.getInputData();
	if (length === 0) return [[]];
	const output: INodeExecutionData[][] = [];
	const run = findOperation(context, resources).start(context);
	const fail = (error: unknown, itemIndex: number) => {
		if (context.continueOnFail()) {
			output[itemIndex] = [failedItem(context, error, itemIndex)];
			return;
		}
		const reason = toNodeError(context, error, itemIndex);
		run.stop?.(reason);
		throw reason;
	};

	const ready: Ready[] = [];
	for (let itemIndex = 0; itemIndex < length; itemIndex++) {
		try {
			ready.push({ ...run.prepare(itemIndex), itemIndex });
		} catch (error) {
			fail(error, itemIndex);
		}
	}
	run.prepared?.();
	const keyOf = ({ key, itemIndex }: Ready) => key ?? itemIndex;
	await runKeyed(ready, { concurrency: run.concurrency ?? 1, keyOf }, async ({ execute, itemIndex }) => {
		try {
			const items = await execute();
			output[itemIndex] = items.map((item) => ({ ...item, pairedItem: { item: itemIndex } }));
		} catch (error) {
			fail(error, itemIndex);
		}
	});
	return [output.flat()];
}
