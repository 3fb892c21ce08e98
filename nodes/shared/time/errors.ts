import type { ErrorTable } from '../errors/codedError';

/** What can be wrong with a date, and with the time of an appointment, which must be a single instant. */
export const TIME_ERRORS = {
	date_invalid: {
		message: '{field} must be a date (it is {value})',
		advice: 'Use an ISO date such as 2026-03-01 or 2026-03-01T08:30:00Z.',
	},
	date_in_seconds: {
		message: '{field} must be a date in milliseconds, not seconds (it is {value})',
		advice: 'Use an ISO date such as 2026-03-01 or 2026-03-01T08:30:00Z, or multiply by 1000.',
	},
	time_invalid: {
		message: '{field} must be a date and time (it is {value})',
		advice: 'Use an ISO date such as 2026-03-01T08:30:00Z or 2026-03-01 08:30:00.',
	},
	time_in_seconds: {
		message: '{field} must be a date and time in milliseconds, not seconds (it is {value})',
		advice: 'Use an ISO date such as 2026-03-01T08:30:00Z or 2026-03-01 08:30:00, or multiply by 1000.',
	},
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
