import {
	UserError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';
import type { Operation } from '../../shared/operation';
import { dateRangeProperties, readDateRange } from './dateRange';
import { readUsers, UsersGuard } from './usersFilter';
import { incompleteness } from './gaps';
import { addHints } from './hints';
import { fieldsOption, fileOptions, limitProperties, outputProperties } from './properties';
import { asRow, fieldsToKeep, keepFields, rowCheck, type RowCheck } from './rows';
import type { ListRequest, ListSpec, RowSource } from './spec';
import { writeFile } from './file/writeFile';

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
		start: (context) => ({
			prepare: (itemIndex) => {
				const request = readRequest(spec, context, itemIndex);
				return { execute: async () => await runList(spec, context, itemIndex, request) };
			},
		}),
	};
}

async function runList(
	spec: ListSpec,
	context: IExecuteFunctions,
	itemIndex: number,
	request: ListRequest,
): Promise<INodeExecutionData[]> {
	const source = spec.open(context, itemIndex, request);
	const check = rowCheck(spec.schema, spec.arrays?.(request));
	const guard =
		spec.emailOf && request.users && request.options.guardUsers !== false
			? new UsersGuard(request.users, spec.emailOf)
			: undefined;
	const counted = { rows: 0 };
	const rows = prepared(source, check, guard, counted);
	const fields = fieldsToKeep(request, spec);
	const isFile = context.getNodeParameter('output', itemIndex, 'items') === 'file';
	const items = isFile
		? await writeFile(context, itemIndex, { spec, request, source, guard, rows, fields, counted })
		: [...(await collectItems(rows, fields)), ...incompleteness(source).map((json) => ({ json }))];
	addHints(context, itemIndex, { spec, request, source, check, guard, isFile, rows: counted.rows });
	return items;
}

async function collectItems(
	batches: AsyncIterable<IDataObject[]>,
	fields: string[] | undefined,
): Promise<INodeExecutionData[]> {
	const items: INodeExecutionData[] = [];
	for await (const rows of batches) {
		for (const row of rows) items.push({ json: keepFields(row, fields) });
	}
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

/** Checks each row once, and lets only rows through that were asked for. */
async function* prepared(
	source: RowSource,
	check: RowCheck,
	guard: UsersGuard | undefined,
	counted: { rows: number },
): AsyncGenerator<IDataObject[]> {
	for await (const batch of source.batches()) {
		for (const row of batch) check.add(row);
		const rows = batch.map(asRow).filter((row) => guard?.passes(row) ?? true);
		counted.rows += rows.length;
		yield rows;
		// The filter matched nobody: no later page can hold a row that was asked for.
		if (guard?.isFallback && guard.count >= FALLBACK_SAMPLE) return;
	}
}

/** So many rows of others, and none that was asked for, show that the filter matched nobody. */
const FALLBACK_SAMPLE = 50;
