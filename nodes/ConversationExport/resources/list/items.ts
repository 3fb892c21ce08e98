import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { RowBatches } from './reader';

/**
 * One item for each row, in the service's order. When the pages had to be read again, only the last reading counts.
 */
export async function collectItems(
	batches: RowBatches,
	shape: (row: IDataObject) => IDataObject,
): Promise<INodeExecutionData[]> {
	let items: INodeExecutionData[] = [];
	let current = 1;
	for await (const { pass, rows } of batches) {
		if (pass !== current) items = [];
		current = pass;
		for (const row of rows) items.push({ json: shape(row) });
	}
	return items;
}
