import { DateTime, Interval } from 'luxon';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { codedError } from '../../shared/base/codedErrors';
import { mapOrdered } from '../../shared/base/concurrency';
import { isObject } from '../../shared/base/text';
import { ExportClient, type DateRange } from '../../shared/exportApi/client';
import { fieldOf } from '../../shared/exportApi/rows';
import { teamsExportSchema, usersExportSchema } from '../../shared/exportApi/schemas';
import type { Item, Option } from '../../shared/node/item';
import { notAsTool } from '../../shared/node/resources';
import { CHOOSE, filtersFor, propertyOf } from '../../shared/selection/filterRules';
import { EXPORT_ERRORS } from '../exportErrors';
import { presetOf, startOf, utc, type Unit } from './dateRange';
import { fieldChoice } from './fieldsToReturn';
import type { ListKind, RowSource } from './listPipeline';
import { listOperation } from './list';
import { MAX_REQUESTS, type ListRequest } from './listRequest';

const MAX_PERIODS = 400;

const splitBy = {
	displayName: 'Split By',
	name: 'splitBy',
	type: 'options',
	displayOptions: notAsTool,
	options: [
		{ name: "Don't Split", value: 'none' },
		{ name: 'Day', value: 'day' },
		{ name: 'Week', value: 'week' },
		{ name: 'Month', value: 'month' },
	],
	default: 'none',
	description: 'Return one row (and send one request) for each period of the range',
} as const satisfies INodeProperties;

const compareWith = {
	displayName: 'Compare With',
	name: 'compareWith',
	type: 'options',
	displayOptions: notAsTool,
	options: [
		{ name: "Don't Compare", value: 'none' },
		{
			name: 'Previous Period',
			value: 'previousPeriod',
			description: 'Add the value of the day, week or month before, or of the same number of days before',
		},
	],
	default: 'none',
	description: 'What to compare each metric with',
} as const satisfies INodeProperties;

const sortBy = (shape: z.ZodRawShape) =>
	({
		displayName: 'Sort By',
		name: 'sortBy',
		type: 'options',
		options: [
			{ name: "Don't Sort", value: 'none' },
			...metricsIn(shape).map((name) => fieldChoice(name, shape[name].description)),
		],
		default: 'none',
		description: 'Metric by which the rows of each period are sorted, highest first',
	}) satisfies INodeProperties;

function sorted(rows: unknown[], metric: string): unknown[] {
	if (metric === 'none') return rows;
	const keyOf = (row: unknown) => {
		const value = fieldOf(row, metric);
		return typeof value === 'number' ? -value : Infinity;
	};
	// Two rows without a value differ by NaN, which sorts as equal.
	return rows.toSorted((one, other) => keyOf(one) - keyOf(other));
}

/** What each request is about, and what its rows are compared with; throws as {@link splitRange}. */
function readPeriods(item: Item, whole: DateRange) {
	const zone = item.context.getTimezone();
	const chosen = item.value(splitBy);
	const unit = chosen === 'none' ? presetOf(item)?.unit : chosen;
	const isCompared = item.value(compareWith) !== 'none';
	const ranges = chosen === 'none' ? [whole] : splitRange(whole, chosen, zone);
	return ranges.map((range) => ({ range, previous: isCompared ? previousOf(range, unit, zone) : undefined }));
}

/** Divides a range by the calendar. Parts end a millisecond before the next: most metrics include the end (D1 § POST /export/users). */
export function splitRange({ fromDate, toDate }: DateRange, unit: Unit, zone: string): DateRange[] {
	const end = DateTime.fromISO(toDate, { zone });
	let from: DateTime = DateTime.fromISO(fromDate, { zone });
	const values = { count: Interval.fromDateTimes(from, end).count(unit), unit: `${unit}s`, max: MAX_PERIODS };
	if (values.count > MAX_PERIODS) {
		throw codedError(EXPORT_ERRORS, 'too_many_periods', values, { field: splitBy.displayName });
	}
	const ranges: DateRange[] = [];
	while (from < end) {
		// A first part of one millisecond joins the next period, because the service needs an end after the start.
		const next = startOf(from.plus(1).plus({ [unit]: 1 }), unit);
		const to = next < end ? next.minus(1) : end;
		ranges.push({ fromDate: utc(from.toMillis()), toDate: utc(to.toMillis()) });
		from = next;
	}
	return ranges;
}

/** The same part of the previous day, week or month; without a unit, the same number of days right before. */
export function previousOf({ fromDate, toDate }: DateRange, unit: Unit | undefined, zone: string): DateRange {
	const from = DateTime.fromISO(fromDate, { zone });
	const end = DateTime.fromISO(toDate, { zone }).plus(1);
	const before = (time: DateTime) => {
		if (unit === undefined) return time.minus(end.diff(from, ['days', 'milliseconds']));
		const earlier = time.minus({ [unit]: 1 });
		return +time === +startOf(time, unit) ? startOf(earlier, unit) : earlier;
	};
	const previousEnd = unit === undefined ? from : before(end);
	return { fromDate: utc(before(from).toMillis()), toDate: utc(previousEnd.toMillis() - 1) };
}

const METRICS = {
	teams: { id: 'teamId', total: 'totalTeams', schema: teamsExportSchema },
	users: { id: 'userId', total: 'totalUsers', schema: usersExportSchema },
};

type MetricsKind = keyof typeof METRICS;

interface MetricsRequest {
	periods: ReturnType<typeof readPeriods>;
	sortBy: string;
	includeSubteams?: boolean;
}

/** Reads all rows of teams or users, with one request for each period (D1 § POST /export/teams, POST /export/users). */
function metricsSource(
	{ context }: Item,
	{ fields, users }: ListRequest,
	kind: MetricsKind,
	{ periods, sortBy: metric, includeSubteams }: MetricsRequest,
): RowSource {
	const { id, total: totalName, schema } = METRICS[kind];
	const compared = periods[0].previous ? metricsIn(schema.shape, fields) : [];
	const changes = compared.flatMap(namesOfChange);
	const client = new ExportClient(context);
	/** Rows by range. The next period is compared with the same rows, so each range is requested only once. */
	const reads = new Map<string, Promise<unknown[]>>();
	let requests = 0;
	const read = async (range: DateRange) => {
		const key = rangeKey(range);
		if (!reads.has(key)) {
			requests++;
			reads.set(key, client[kind]({ ...range, users, includeSubteams }));
		}
		return await reads.get(key)!;
	};
	const report = { total: 0 };
	return {
		async *batches() {
			const tasks = mapOrdered(periods, MAX_REQUESTS, async ({ range, previous }) => {
				const [before, rows] = await Promise.all([previous && read(previous), read(range)]);
				return { range, previous, rows, before };
			});
			for await (const { range, previous, rows, before } of tasks) {
				// No later period needs it.
				reads.delete(rangeKey(previous ?? range));
				report.total += rows.length;
				const earlier = new Map(before?.filter(isObject).map((row) => [row[id], row]));
				yield sorted(rows, metric).map((row) =>
					isObject(row) ? { ...row, ...range, ...changesOf(row, earlier.get(row[id]), compared) } : row,
				);
			}
		},
		schema: schema.extend({
			fromDate: z.string(),
			toDate: z.string(),
			...Object.fromEntries(changes.map((name) => [name, z.number().nullable()])),
		}),
		keptFields: [id, 'fromDate', 'toDate', ...changes],
		summary: () => ({ requests, [totalName]: report.total }),
		report,
		previous: periods.length === 1 ? periods[0].previous : undefined,
	};
}

const rangeKey = ({ fromDate, toDate }: DateRange) => `${fromDate}/${toDate}`;

/** The numbers among the chosen fields; among all without a choice. */
function metricsIn(shape: z.ZodRawShape, chosen = Object.keys(shape)): string[] {
	const isNumber = (field: z.ZodTypeAny) =>
		(field instanceof z.ZodNullable ? field.unwrap() : field) instanceof z.ZodNumber;
	return chosen.filter((name) => Object.hasOwn(shape, name) && isNumber(shape[name]));
}

const namesOfChange = (metric: string) => [`${metric}Previous`, `${metric}Change`];

/** The value before of each metric, and its change: null where one of both is missing, because null is not 0. */
function changesOf(row: IDataObject, earlier: IDataObject | undefined, metrics: string[]): IDataObject {
	const changes: IDataObject = {};
	for (const metric of metrics) {
		const [now, before] = [row[metric], earlier?.[metric] ?? null];
		const hasBoth = typeof now === 'number' && typeof before === 'number';
		const [previousName, changeName] = namesOfChange(metric);
		changes[previousName] = before;
		// A difference such as 0.92 - 0.9 has more digits than both.
		changes[changeName] = hasBoth ? Number((now - before).toFixed(4)) : null;
	}
	return changes;
}

function metricsList(kind: MetricsKind, list: Pick<ListKind, 'simplified' | 'filters' | 'emailOf'>) {
	const { schema } = METRICS[kind];
	const ownSortBy = sortBy(schema.shape);
	return listOperation<MetricsRequest>({
		...list,
		option: {
			name: 'Get Many',
			value: 'getAll',
			action: `Get many ${kind}`,
			description: `Get the metrics of ${kind} over a date range`,
		},
		rowKind: kind,
		schema,
		isWhole: true,
		properties: [splitBy, compareWith, ownSortBy],
		readOwn: (item, { range }) => ({
			periods: readPeriods(item, range),
			sortBy: String(item.value(ownSortBy)),
			...(kind === 'teams' && { includeSubteams: item.option(includeSubteams, 'filters') }),
		}),
		open: (item, request, own) => metricsSource(item, request, kind, own!),
	});
}

const includeSubteams = {
	displayName: 'Include Subteams',
	name: 'includeSubteams',
	type: 'boolean',
	default: true,
	without: false,
	description:
		"Whether to count the members of subteams in each team's metrics. Subteams keep their own rows, so do not add up the rows.",
} as const satisfies Option;

export const SIMPLIFIED_TEAM = [
	...'name teamId parentTeamName appointmentsRecorded conversationsRecorded'.split(' '),
	...'recordingCompliance talkRatioAverage totalAppointments totalUsersWhoRecorded totalUsers'.split(' '),
];

/** Metrics of every team the key may see (D1 § POST /export/teams). */
export const teamMetrics = metricsList('teams', {
	simplified: SIMPLIFIED_TEAM,
	filters: [includeSubteams, { ...propertyOf('teams'), description: `Only these teams. ${CHOOSE}` }],
});

export const SIMPLIFIED_USER = [
	...'userId name email isRemoved role teamNames averageScriptCompliance'.split(' '),
	...'conversationsRecorded recordingCompliance talkRatioAverage totalAppointments'.split(' '),
];

/** Metrics of every user the key may see (D1 § POST /export/users). */
export const userMetrics = metricsList('users', {
	simplified: SIMPLIFIED_USER,
	filters: filtersFor('users'),
	emailOf: ({ email }) => email,
});
