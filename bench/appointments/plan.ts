import { isDeepStrictEqual } from 'node:util';
import { Random } from '../../sandbox/data/random';

/** An input row in the format of the API, so that both nodes can send it unchanged. */
export interface Row {
	event_id: string;
	user_email: string;
	start_time: string;
	end_time: string;
	title: string;
	customer: { id: string; name: string };
	result: string;
	price: number;
}

export interface PlanOptions {
	/** Prefix of the event IDs, so that runs do not share appointments. */
	prefix: string;
	seed: number;
	items: number;
	/** Emails of active users, so that every row is valid. */
	users: string[];
	outcomes: string[];
}

/** One row in ten has the event ID of an earlier row. */
const SHARED = 10;

/**
 * Generates the rows of a run from the seed. All rows differ, so that the final state shows which row was
 * stored last.
 */
export function plan({ prefix, seed, items, users, outcomes }: PlanOptions): Row[] {
	const random = new Random(seed);
	const rows: Row[] = [];
	for (let index = 0; index < items; index++) {
		const isShared = index > 0 && random.chance(1 / SHARED);
		const start = Date.UTC(2026, 0, 1) + index * 900_000;
		rows.push({
			event_id: isShared ? random.pick(rows).event_id : `${prefix} ${seed}/${index}`,
			user_email: random.pick(users),
			start_time: stamp(start),
			end_time: stamp(start + 3_600_000),
			title: `Appointment ${index}`,
			customer: { id: `c-${index}`, name: `Customer ${index}` },
			result: random.pick(outcomes),
			price: index + 0.5,
		});
	}
	return rows;
}

const stamp = (millis: number) => new Date(millis).toISOString().slice(0, 19).replace('T', ' ');

/** The expected final state: the last row of each event ID. */
export function intended(rows: Row[]): Map<string, Row> {
	return new Map(rows.map((row) => [row.event_id, row]));
}

/** The number of appointments that are missing, outdated or otherwise wrong. */
export function wrongOnes(rows: Row[], stored: ReadonlyArray<object & { event_id: string }>): number {
	const found = new Map(stored.map((appointment) => [appointment.event_id, appointment]));
	return [...intended(rows).values()].filter(({ user_email: email, ...row }) => {
		const appointment: Record<string, unknown> = { ...found.get(row.event_id) };
		const isRight = Object.entries(row).every(([field, value]) =>
			isDeepStrictEqual(appointment[field], value),
		);
		return !isRight || String(appointment.attendees) !== email;
	}).length;
}
