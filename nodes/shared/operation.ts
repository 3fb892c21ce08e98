import {
	NodeApiError,
	NodeOperationError,
	UserError,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
	type INodePropertyOptions,
} from 'n8n-workflow';
import { mapOrdered } from './mapOrdered';

/** How the node offers an operation and what it asks for. */
export interface DescribedOperation {
	/** Entry of the Operation list: Title Case name, sentence-case action. */
	option: INodePropertyOptions & { value: string };
	/** Its parameters; shown for this resource and operation only. */
	properties: INodeProperties[];
}

/** One operation: how the node offers it, what it asks for, and what it does, side by side in one file. */
export interface Operation extends DescribedOperation {
	/** Runs the operation for one input item. */
	execute(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]>;
	/** Items under way at once, where an item is little more than waiting; 1 by default. */
	parallel?: number;
}

/** A resource and its operations; the first one is preselected. */
export interface Resource<Offered extends DescribedOperation = Operation> {
	option: INodePropertyOptions & { value: string };
	operations: Offered[];
}

/**
 * The node's properties, built from its resources: the two lists, then each operation's parameters.
 *
 * @param resources in the order the editor shows them
 */
export function describeResources(resources: Array<Resource<DescribedOperation>>): INodeProperties[] {
	const preselected = resources[0].option.value;
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			// A list of one is no choice, so it is not shown.
			type: resources.length === 1 ? 'hidden' : 'options',
			noDataExpression: true,
			options: resources.map(({ option }) => option),
			default: preselected,
		},
		...resources.flatMap(describeOperations),
	];
}

function describeOperations({
	option: { value: resource },
	operations,
}: Resource<DescribedOperation>): INodeProperties[] {
	const preselected = operations[0].option.value;
	return [
		{
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			displayOptions: { show: { resource: [resource] } },
			options: operations.map(({ option }) => option),
			default: preselected,
		},
		...operations.flatMap(({ option, properties }) =>
			properties.map((property) => ({
				...property,
				displayOptions: {
					...property.displayOptions,
					show: { resource: [resource], operation: [option.value], ...property.displayOptions?.show },
				},
			})),
		),
	];
}

/**
 * Finds the chosen operation in the data map.
 *
 * @throws NodeOperationError when a workflow names one that does not exist
 */
export function findOperation<Offered extends DescribedOperation>(
	context: IExecuteFunctions,
	resources: Array<Resource<Offered>>,
	itemIndex: number,
): Offered {
	const resource = context.getNodeParameter('resource', itemIndex) as string;
	const operation = context.getNodeParameter('operation', itemIndex) as string;
	const found = resources
		.find(({ option }) => option.value === resource)
		?.operations.find(({ option }) => option.value === operation);
	if (found) return found;
	throw new NodeOperationError(
		context.getNode(),
		`There is no operation "${operation}" for the resource "${resource}"`,
		{
			description: 'Choose the resource and the operation again in the node.',
			itemIndex,
		},
	);
}

/**
 * Runs the chosen operation for each input item and links every output to its item. Under Continue On Fail
 * a failed item becomes an item that carries the message; the others go through.
 */
export async function executeItems(
	context: IExecuteFunctions,
	resources: Resource[],
): Promise<INodeExecutionData[][]> {
	const indices = context.getInputData().keys();
	const parallel =
		context.getInputData().length > 1 ? (findOperation(context, resources, 0).parallel ?? 1) : 1;
	const output: INodeExecutionData[] = [];
	const runs = mapOrdered(
		indices,
		parallel,
		async (itemIndex) => await runItem(context, resources, itemIndex),
	);
	for await (const items of runs) {
		for (const item of items) output.push(item);
	}
	return [output];
}

async function runItem(
	context: IExecuteFunctions,
	resources: Resource[],
	itemIndex: number,
): Promise<INodeExecutionData[]> {
	try {
		const rows = await findOperation(context, resources, itemIndex).execute(context, itemIndex);
		return rows.map((row) => ({ ...row, pairedItem: { item: itemIndex } }));
	} catch (error) {
		if (!context.continueOnFail()) throw toNodeError(context, error, itemIndex);
		return [failedItem(context, error, itemIndex)];
	}
}

/**
 * The output of a failed item under Continue On Fail: `error` says what is wrong, `message` what to do.
 *
 * @param error what was thrown; one of another library becomes an error of the node
 */
export function failedItem(
	context: IExecuteFunctions,
	error: unknown,
	itemIndex: number,
): INodeExecutionData {
	const { message, description } = toNodeError(context, error, itemIndex);
	return {
		// Every n8n routes an item with these keys alone to the error output; before 2.31, one more key kept it out.
		json: { error: message, ...(description ? { message: description } : {}) },
		pairedItem: { item: itemIndex },
	};
}

/** Errors of the node pass through; a refused input becomes one that names the item; nothing shows a stack trace. */
export function toNodeError(
	context: IExecuteFunctions,
	error: unknown,
	itemIndex: number,
): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	const cause = error instanceof Error ? error : new UserError(String(error));
	return new NodeOperationError(context.getNode(), cause, {
		message: `${cause.message} [Item ${itemIndex}]`,
		description: cause instanceof UserError ? (cause.description ?? undefined) : undefined,
		itemIndex,
	});
}
