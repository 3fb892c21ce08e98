import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { AnyZodObject } from 'zod';
import type { ContractCheck } from '../../shared/exportApi/schemas/check';
import type { Item } from '../../shared/node/item';
import type { Operation } from '../../shared/node/operation';
import type { Gap } from '../../shared/reading';
import type { ListRequest } from './readRequest';

/** What makes one list differ from another. */
export interface List<Own = unknown> {
	option: Operation['option'];
	/** Kind of rows in words, for hints and file names, e.g. `missing recordings`. */
	rowKind: string;
	schema: AnyZodObject;
	/** The fields of a simplified row: at most twelve, none of which expires or is an object. */
	simplified: string[];
	/** Parameters after the date range that only this list has. */
	properties?: INodeProperties[];
	filters?: INodeProperties[];
	options?: INodeProperties[];
	/** Whose row it is; absent if the list has no users filter. */
	emailOf?: (row: IDataObject) => unknown;
	/** Whether the service returns all rows at once: only an agent limits them. */
	isWhole?: boolean;
	/** Whether rows can come with their transcript. */
	hasTranscripts?: boolean;
	/**
	 * Reads the parameters that only this list has.
	 *
	 * @throws CodedError that names an unusable parameter
	 */
	readOwn(item: Item, request: ListRequest): Own;
	/** The source of the rows; it requests nothing until they are read. */
	open(item: Item, request: ListRequest, own: Own): RowSource;
}

/** Where the rows of a list come from. */
export interface RowSource {
	/** Rows as the service sent them, normally objects, a few at a time. */
	batches(): AsyncGenerator<unknown[]>;
	/** The documented fields of a row, then those that the node adds: the columns of a table. */
	schema: AnyZodObject;
	/** Fields that are always returned, because they tell rows apart. */
	keptFields: string[];
	check: RowCheck;
	/** Pages, requests and the service's totals. */
	summary(): IDataObject;
	/** What the user should know, one sentence each. */
	hints?(): string[];
	/** Rows that the service counts. */
	total(): number;
	/** What could not be read, if On Error continues anyway. */
	gaps?(): Gap[];
	/** Whether everything that the range has was returned. */
	isComplete(): boolean;
	/** The order of the rows; that of the service by default. */
	order?: 'newestFirst' | 'oldestFirst' | 'asListed';
}

export type RowCheck = Pick<ContractCheck, 'add' | 'mismatches'>;
