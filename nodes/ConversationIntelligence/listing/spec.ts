import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { AnyZodObject } from 'zod';
import type { Operation } from '../../shared/operation';
import type { ArrayName, Gap } from '../../shared/reading';
import type { DateRange } from './dateRange';

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
export interface RowSource {
	/** Rows as the service sent them, normally objects, a few at a time. */
	batches(): AsyncGenerator<unknown[]>;
	/** Pages, requests and the service's totals. */
	summary(): IDataObject;
	/** What the reader of the workflow should know, a sentence each. */
	hints(): string[];
	/** Rows that the service counts. */
	total(): number;
	/** What could not be read, where the export goes on in spite of it. */
	gaps(): Gap[];
}

/** What makes one list differ from another. */
export interface ListSpec {
	option: Operation['option'];
	/** Parameters before the limit that only this list has. */
	ownProperties?: INodeProperties[];
	/** Entries of the Options collection that only this list has. */
	ownOptions?: INodeProperties[];
	/** The documented fields of a row. */
	schema: AnyZodObject;
	/** The arrays that are read, where there can be more than one of them. */
	arrays?: (request: ListRequest) => ArrayName[];
	/** Fields that the node itself adds to the documented ones. */
	addedFields?: (request: ListRequest) => AnyZodObject;
	/** At most ten fields. */
	simplified: string[];
	/** Fields that stay whatever is chosen, because rows could not be told apart without them. */
	kept?: (request: ListRequest) => string[];
	/** Kind of rows, for file names and hints, e.g. `conversations`. */
	rowKind: string;
	/** Whose row it is; absent where the list takes no users filter. */
	emailOf?: (row: IDataObject) => unknown;
	open: (context: IExecuteFunctions, itemIndex: number, request: ListRequest) => RowSource;
}
