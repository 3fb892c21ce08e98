import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { mapOrdered } from '../../shared/base/concurrency';
import { ExportClient, type DateRange } from '../../shared/exportApi/client';
import { teamsExportSchema, usersExportSchema } from '../../shared/exportApi/schemas';
import { ContractCheck } from '../../shared/exportApi/rows';
import { isObject } from '../../shared/base/text';
import type { Item } from '../../shared/node/item';
import type { RowSource } from './listRun';
import type { Period } from './periods';
import { MAX_REQUESTS, type ListRequest } from './readRequest';

export const METRICS = {
	teams: { id: 'teamId', total: 'totalTeams', schema: teamsExportSchema },
	users: { id: 'userId', total: 'totalUsers', schema: usersExportSchema },
};

export type MetricsKind = keyof typeof METRICS;

/**
 * Reads the metrics of teams or users: one request for each period, all rows (D1 § POST /export/teams, POST /export/users).
 * @param kind name of the array
 * @throws while reading: NodeApiError when a request fails or its response has no such array
 */
export function metricsSource(
	{ context }: Item,
	{ fields, users }: ListRequest,
	kind: MetricsKind,
	body: IDataObject,
	periods: Period[],
): RowSource {
	const { id, total: totalName, schema } = METRICS[kind];
	const compared = periods[0].previous ? metricsIn(schema.shape, fields) : [];
	const client = new ExportClient(context);
	/** Rows by their range: a period can be the previous one of the next, and is requested once. */
	const reads = new Map<string, Promise<unknown[]>>();
	let requests = 0;
	const read = async (range: DateRange) => {
		const key = keyOf(range);
		if (!reads.has(key)) {
			requests++;
			reads.set(key, client[kind]({ ...range, users, ...body }));
		}
		return await reads.get(key)!;
	};
	let total = 0;
	return {
		async *batches() {
			const tasks = mapOrdered(periods, MAX_REQUESTS, async ({ range, previous }) => {
				const reading = previous ? read(previous) : Promise.resolve([]);
				const [rows, before] = await Promise.all([read(range), reading]);
				return { range, previous, rows, before };
			});
			for await (const { range, previous, rows, before } of tasks) {
				// No later period needs it.
				reads.delete(keyOf(previous ?? range));
				total += rows.length;
				const earlier = new Map(before.filter(isObject).map((row): [unknown, IDataObject] => [row[id], row]));
				yield rows.map((row) =>
					isObject(row) ? { ...row, ...range, ...changesOf(row, earlier.get(row[id]), compared) } : row,
				);
			}
		},
		schema: schema.extend({
			fromDate: z.string(),
			toDate: z.string(),
			...Object.fromEntries(compared.flatMap(namesOfChange).map((name) => [name, z.number().nullable()])),
		}),
		keptFields: [id, 'fromDate', 'toDate', ...compared.flatMap(namesOfChange)],
		check: new ContractCheck(schema),
		summary: () => ({ requests, [totalName]: total }),
		total: () => total,
		isComplete: () => true,
	};
}

const keyOf = ({ fromDate, toDate }: DateRange) => `${fromDate}/${toDate}`;

/** The numbers among the chosen fields; among all without a choice. */
function metricsIn(shape: z.ZodRawShape, chosen = Object.keys(shape)): string[] {
	const isNumber = (field: z.ZodTypeAny | undefined) =>
		(field instanceof z.ZodNullable ? field.unwrap() : field) instanceof z.ZodNumber;
	return chosen.filter((name) => Object.hasOwn(shape, name) && isNumber(shape[name]));
}

const namesOfChange = (metric: string) => [`${metric}Previous`, `${metric}Change`];

/** The value before of each metric, and its change: null where one of both is missing, because null is not 0. */
function changesOf(row: IDataObject, earlier: IDataObject | undefined, metrics: string[]): IDataObject {
	const changes = metrics.flatMap((metric) => {
		const [now, before] = [row[metric], earlier?.[metric] ?? null];
		const hasBoth = typeof now === 'number' && typeof before === 'number';
		// A difference such as 0.92 - 0.9 has more digits than both.
		const change = hasBoth ? Number((now - before).toFixed(4)) : null;
		const [previousName, changeName] = namesOfChange(metric);
		return [[previousName, before] as const, [changeName, change] as const];
	});
	return Object.fromEntries(changes);
}
