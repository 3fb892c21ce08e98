import { DateTime } from 'luxon';
import { UserError } from 'n8n-workflow';
import type { DateRange } from '../dateRange';

/** What a file is called, when the user gives no name. */
export interface AutomaticName {
	/** Kind of rows, e.g. `conversations`. */
	rowKind: string;
	range: DateRange;
	/** IANA name of the workflow's time zone, by which days are counted. */
	zone: string;
}

/**
 * The name of a list's file: the given one, or the kind of rows and the days of the range; always with its ending.
 *
 * @param given value of the option File Name
 * @param endings what the file is, e.g. `['csv', 'gz']`
 * @returns for example `conversations_2026-03-01_2026-03-31.csv`
 * @throws UserError for a name that is no text
 */
export function listFileName(given: unknown, endings: string[], automatic: AutomaticName): string {
	if (given !== undefined && typeof given !== 'string') {
		throw new UserError(`File Name is ${JSON.stringify(given)}`, {
			description: 'Use a text, or leave it empty.',
		});
	}
	const name = given?.trim() || automaticName(automatic);
	for (let present = endings.length; present > 0; present--) {
		const has = name.toLowerCase().endsWith(`.${endings.slice(0, present).join('.')}`);
		if (has) return [name, ...endings.slice(present)].join('.');
	}
	return [name, ...endings].join('.');
}

function automaticName({ rowKind, range, zone }: AutomaticName): string {
	const days = [range.fromDate, range.toDate].map((date) => DateTime.fromISO(date, { zone }).toISODate());
	return [rowKind, ...days].join('_');
}
