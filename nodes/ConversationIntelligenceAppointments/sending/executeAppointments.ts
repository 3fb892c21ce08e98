import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { failedItem, findOperation, toNodeError, type Resource } from '../../shared/operation';
import { Pace } from '../../shared/transport';
import { DEFAULT_CONCURRENCY, type AppointmentOperation } from './appointmentOperation';
import type { PreparedItem } from './appointmentRun';
import { runKeyedLanes } from './keyedLanes';

type Ready = PreparedItem & { itemIndex: number };

/**
 * Reads and checks every item, then sends them on parallel lanes, items that write the same thing strictly in
 * input order. Each output item is linked to its input item and stands in its place.
 *
 * Without Continue On Fail nothing is sent while any item is unusable, and the first refusal of the service stops
 * the rest. With it, an item that fails becomes one that carries the message, and the others go through.
 *
 * @param resources the data map of the node
 * @returns one output with one item for each input item, in its place
 * @throws NodeOperationError for an item that cannot be sent, NodeApiError for one that the service refused, each naming
 *   the item; without Continue On Fail only. NodeOperationError when the workflow names an unknown operation
 */
export async function executeAppointments(
	context: IExecuteFunctions,
	resources: Array<Resource<AppointmentOperation>>,
): Promise<INodeExecutionData[][]> {
	const output: INodeExecutionData[] = [];
	const fail = (error: unknown, itemIndex: number) => {
		if (!context.continueOnFail()) throw toNodeError(context, error, itemIndex);
		output[itemIndex] = failedItem(context, error, itemIndex);
	};

	const { length } = context.getInputData();
	if (length === 0) return [output];
	const run = findOperation(context, resources, 0).start(context);
	const ready: Ready[] = [];
	for (let itemIndex = 0; itemIndex < length; itemIndex++) {
		try {
			ready.push({ ...run.prepare(itemIndex), itemIndex });
		} catch (error) {
			fail(error, itemIndex);
		}
	}
	run.addHints?.();
	if (ready.length === 0) return [output];

	const options = context.getNodeParameter('options', ready[0].itemIndex, {}) as IDataObject;
	const most = Number(options.concurrency) || DEFAULT_CONCURRENCY;
	const pace = new Pace({ start: most, most, perSecond: Number(options.requestsPerSecond) || Infinity });
	// More lanes than requests: an item that waits to be repeated holds up no other.
	const lanes = { concurrency: most * 4, keyOf: ({ key }: Ready) => key };
	await runKeyedLanes(ready, lanes, async ({ send, itemIndex }) => {
		try {
			output[itemIndex] = { json: await send(pace), pairedItem: { item: itemIndex } };
		} catch (error) {
			if (!context.continueOnFail()) pace.stop(toNodeError(context, error, itemIndex));
			fail(error, itemIndex);
		}
	});
	return [output];
}
