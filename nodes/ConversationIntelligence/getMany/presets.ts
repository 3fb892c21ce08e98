import { DateTime } from 'luxon';

/** UTC timestamps ending in Z. */
export interface DateRange {
	fromDate: string;
	toDate: string;
}

/** The first and the last instant of a range; the end is part of it (D1: inclusive bounds). */
export type Range = [from: DateTime, to: DateTime];

/** Weeks begin on Monday; "last n days" go back to the same time of day. */
export const PRESETS = {
	today: { name: 'Today', range: (now) => [now.startOf('day'), now] },
	yesterday: { name: 'Yesterday', range: (now) => whole(now.minus({ days: 1 }), 'day') },
	last7Days: { name: 'Last 7 Days', range: (now) => [now.minus({ days: 7 }), now] },
	last30Days: { name: 'Last 30 Days', range: (now) => [now.minus({ days: 30 }), now] },
	last90Days: { name: 'Last 90 Days', range: (now) => [now.minus({ days: 90 }), now] },
	last180Days: { name: 'Last 180 Days', range: (now) => [now.minus({ days: 180 }), now] },
	last365Days: { name: 'Last 365 Days', range: (now) => [now.minus({ days: 365 }), now] },
	thisWeek: { name: 'This Week', range: (now) => [now.startOf('week'), now] },
	lastWeek: { name: 'Last Week', range: (now) => whole(now.minus({ weeks: 1 }), 'week') },
	thisMonth: { name: 'This Month', range: (now) => [now.startOf('month'), now] },
	lastMonth: { name: 'Last Month', range: (now) => whole(now.minus({ months: 1 }), 'month') },
} satisfies Record<string, { name: string; range: (now: DateTime) => Range }>;

export type Preset = keyof typeof PRESETS;

function whole(day: DateTime, unit: 'day' | 'week' | 'month'): Range {
	return [day.startOf(unit), day.endOf(unit)];
}

/** Whether a value of the Date Range parameter names a preset. */
export function isPreset(value: unknown): value is Preset {
	return typeof value === 'string' && Object.hasOwn(PRESETS, value);
}

/**
 * The range of a preset, by the calendar of the workflow's time zone, daylight-saving changes included.
 *
 * @param now milliseconds since 1970: the end of a range that is still open
 * @param zone IANA name, e.g. `Europe/Berlin`
 * @returns UTC timestamps ending in Z; in the first millisecond of a period, that millisecond
 */
export function presetRange(preset: Preset, now: number, zone: string): DateRange {
	const [from, to] = PRESETS[preset].range(DateTime.fromMillis(now, { zone }));
	// The service wants an end after the start, even at midnight.
	const end = Math.max(to.toMillis(), from.toMillis() + 1);
	return { fromDate: utc(from.toMillis()), toDate: utc(end) };
}

/** A UTC timestamp from milliseconds since 1970. */
export function utc(instant: number): string {
	return new Date(instant).toISOString();
}
