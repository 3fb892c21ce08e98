import {
	UserError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';
import type { AnyZodObject } from 'zod';
import type { Operation } from '../../../shared/operation';
import { dateRangeProperties, readDateRange } from '../dateRange';
import { readUsers, UsersGuard } from '../users';
import type { ArrayName } from './arrays';
import { addHints } from './hints';
import { collectItems } from './items';
import { fieldsOption, fileOptions, limitProperties, outputProperties } from './properties';
import type { ListRequest, OpenReader, RowBatches, RowReader } from './reader';
import { rowCheck, type RowCheck } from './rowCheck';
import { fieldsToKeep, keepFields } from './rowShape';
import { writeFile } from './writeFile';

/** What makes one list differ from another. */
export interface ListSpec {
	option: Operation['option'];
	/** Parameters before the limit that only this list has. */
	ownProperties?: INodeProperties[];
	/** Entries of the Options collection that only this list has. */
	ownOptions?: INodeProperties[];
	/** The document's fields of a row. */
	schema: AnyZodObject;
	/** The arrays that are read, where there can be more than one of them. */
	arrays?: (request: ListRequest) => ArrayName[];
	/** Fields that the node itself puts beside the document's. */
	addedFields?: (request: ListRequest) => AnyZodObject;
	/** At most ten fields. */
	simplified: string[];
	/** Fields that stay whatever is chosen, because rows could not be told apart without them. */
	kept?: (request: ListRequest) => string[];
	/** Kind of rows, for file names. */
	rowKind: string;
	/** Whose row it is; absent where the list takes no users filter. */
	emailOf?: (row: IDataObject) => unknown;
	open: OpenReader;
}

/** Builds a Get Many operation: date range, limit, users, output as items or as a file, hints. */
export function listOperation(spec: ListSpec): Operation {
	const options: INodeProperties[] = [
		...(spec.ownOptions ?? []),
		fieldsOption(Object.keys(spec.schema.shape as object)),
		...fileOptions,
	];
	return {
		option: spec.option,
		properties: [
			...dateRangeProperties,
			...(spec.ownProperties ?? []),
			...limitProperties,
			...outputProperties,
			{
				displayName: 'Options',
				name: 'options',
				type: 'collection',
				placeholder: 'Add option',
				default: {},
				options: options.sort((a, b) => a.displayName.localeCompare(b.displayName)),
			},
		],
		execute: async (context, itemIndex) => await runList(spec, context, itemIndex),
	};
}

async function runList(
	spec: ListSpec,
	context: IExecuteFunctions,
	itemIndex: number,
): Promise<INodeExecutionData[]> {
	const request = readRequest(spec, context, itemIndex);
	const reader = spec.open(context, itemIndex, request);
	const check = rowCheck(spec.schema, spec.arrays?.(request));
	const guard =
		spec.emailOf && request.users && request.options.guardUsers !== false
			? new UsersGuard(request.users, spec.emailOf)
			: undefined;
	const rows = prepared(reader, check, guard);
	const fields = fieldsToKeep(request, spec);
	const items =
		context.getNodeParameter('output', itemIndex, 'items') === 'file'
			? await writeFile(context, itemIndex, { spec, request, reader, guard, rows, fields })
			: await collectItems(rows, (row) => keepFields(row, fields));
	addHints(context, itemIndex, { reader, check, guard });
	return items;
}

function readRequest(spec: ListSpec, context: IExecuteFunctions, itemIndex: number): ListRequest {
	const options = context.getNodeParameter('options', itemIndex, {}) as IDataObject;
	const returnAll = context.getNodeParameter('returnAll', itemIndex, false) as boolean;
	const own = Object.fromEntries(
		(spec.ownProperties ?? []).map(({ name, default: value }) => [
			name,
			context.getNodeParameter(name, itemIndex, value) as IDataObject[string],
		]),
	);
	return {
		range: readDateRange(context, itemIndex),
		...(spec.emailOf ? readUsers(options) : {}),
		maxRows: returnAll ? Infinity : readLimit(context.getNodeParameter('limit', itemIndex)),
		simplify: context.getNodeParameter('simplify', itemIndex, false) === true,
		options,
		own,
	};
}

function readLimit(value: unknown): number {
	const limit = Number(value);
	if (Number.isInteger(limit) && limit >= 1) return limit;
	throw new UserError(
		`Limit is "${String(value)}"; it must be a whole number from 1. Or turn on Return All.`,
	);
}

/** Checks each row against the document once, and lets only rows through that were asked for. */
async function* prepared(
	reader: RowReader,
	check: RowCheck,
	guard: UsersGuard | undefined,
): RowBatches & AsyncGenerator {
	for await (const { pass, rows, fresh, isPart } of reader.batches()) {
		const isNew = pass === 1 ? undefined : new Set(fresh);
		for (const row of fresh) check.add(row);
		if (guard === undefined) {
			yield { pass, rows, fresh };
			continue;
		}
		const passing = rows.filter((row) => guard.passes(row, isNew === undefined || isNew.has(row)));
		yield {
			pass,
			rows: passing,
			fresh: isNew === undefined ? passing : passing.filter((row) => isNew.has(row)),
		};
		// The filter matched nobody: no later page can hold a row that was asked for.
		if (guard.isFallback && !isPart) return;
	}
}
