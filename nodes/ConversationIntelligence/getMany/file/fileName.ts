import { DateTime } from 'luxon';
import type { DateRange } from '../dateRange';

/**
 * The name of a list's file: the given one, or the kind of rows and the days of the range, always with the endings.
 *
 * @param given value of the option File Name; empty for none
 * @param endings e.g. `['csv', 'gz']`
 * @param rowKind e.g. `errored recordings`
 * @param zone IANA name of the workflow's time zone, for the days in the name
 * @returns for example `errored-recordings_2026-03-01_2026-03-31.csv`
 */
export function listFileName(
	given: string,
	endings: string[],
	{ rowKind, range, zone }: { rowKind: string; range: DateRange; zone: string },
): string {
	const days = [range.fromDate, range.toDate].map((date) => DateTime.fromISO(date, { zone }).toISODate());
	const name = given || [rowKind.replaceAll(' ', '-'), ...days].join('_');
	const lastPresent = endings.findLastIndex((_, last) =>
		name.toLowerCase().endsWith(`.${endings.slice(0, last + 1).join('.')}`),
	);
	return [name, ...endings.slice(lastPresent + 1)].join('.');
}
