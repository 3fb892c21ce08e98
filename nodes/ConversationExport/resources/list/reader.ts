import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Batch } from '../../../shared/export/rowWalk';
import type { DateRange } from '../dateRange';

/** What an item asks for. */
export interface ListRequest {
	range: DateRange;
	users?: string[];
	/** Infinity for all. */
	maxRows: number;
	simplify: boolean;
	/** Values of the Options collection. */
	options: IDataObject;
	/** Parameters that only this operation has. */
	own: IDataObject;
}

/** Where the rows of a list come from. */
export interface RowReader {
	/** Rows page by page; a batch with a higher pass starts over. */
	batches(): AsyncGenerator<Batch<IDataObject>>;
	/** What to tell about where the rows came from: pages, requests, the service's totals. */
	summary(): IDataObject;
	/** What the reader of the workflow should know, a sentence each. */
	hints(): string[];
	/** Rows that the service counts. */
	total(): number;
}

export type OpenReader = (context: IExecuteFunctions, itemIndex: number, request: ListRequest) => RowReader;

/** Rows ready to be put out. */
export type RowBatches = AsyncIterable<Batch<IDataObject>>;
