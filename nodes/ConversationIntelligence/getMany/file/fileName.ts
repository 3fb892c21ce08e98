import { DateTime } from 'luxon';
import type { DateRange } from '../dateRange';

const ENDINGS = /(\.(csv|ndjson))?(\.gz)?$/i;

/**
 * The name of a list's file: the given one, or the kind of rows and the range, with times unless it is whole days.
 *
 * @param given value of the option File Name; empty for none
 * @param ending e.g. `csv.gz`; replaces that of the given name
 * @param rowKind e.g. `missing recordings`
 * @param zone IANA name of the workflow's time zone, for the dates in the name
 * @param used names of the run's earlier files: a name that is repeated gets a number; this one is added
 * @returns for example `missing-recordings_2026-03-01_2026-03-31.csv`
 */
export function listFileName(
	given: string,
	ending: string,
	{ rowKind, range, zone }: { rowKind: string; range: DateRange; zone: string },
	used: Set<string>,
): string {
	const dates = [range.fromDate, range.toDate].map((date) => DateTime.fromISO(date, { zone }));
	const isWholeDays = dates.map((date) => date.toFormat('HHmm')).join() === '0000,2359';
	const format = isWholeDays ? 'yyyy-MM-dd' : "yyyy-MM-dd'T'HHmm";
	const made = [rowKind.replaceAll(' ', '-'), ...dates.map((date) => date.toFormat(format))].join('_');
	const base = (given || made).replace(ENDINGS, '');
	let name = `${base}.${ending}`;
	for (let number = 2; used.has(name); number++) name = `${base}_${number}.${ending}`;
	used.add(name);
	return name;
}
