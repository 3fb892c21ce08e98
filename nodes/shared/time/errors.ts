import type { ErrorTable } from '../errors/codedError';

/** What can be wrong with a date that is one. */
export const TIME_ERRORS = {
	zone_unclear: {
		message: '{field} must have a clear time zone (it is {value})',
		advice: '{zone} is not one. Use an offset such as +02:00, a zone such as [Europe/Berlin], or Z for UTC.',
	},
	time_skipped: {
		message: '{field} must happen once in {zone} (it is {value})',
		advice: 'It does not exist, because the clocks change at this hour: add an offset such as +02:00.',
	},
	time_repeated: {
		message: '{field} must happen once in {zone} (it is {value})',
		advice: 'It happens twice, because the clocks change at this hour: add an offset such as +02:00.',
	},
} as const satisfies ErrorTable;
