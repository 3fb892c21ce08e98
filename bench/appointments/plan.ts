import { Random } from '../../sandbox/data/random';

/** One row of the input, as the service takes it, so that both nodes can send it unchanged. */
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
	/** Before the event IDs, so that runs do not meet each other's appointments. */
	prefix: string;
	seed: number;
	items: number;
	/** Active users, so that every row is acceptable. */
	users: string[];
	/** Outcomes of the organization. */
	outcomes: string[];
}

/** One row in ten carries the event ID of an earlier row. */
const SHARED = 10;

/**
 * Draws the rows of a run: the same for the same seed. Each row differs from every other, so that the final state
 * tells which row was stored last.
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

/** What must be stored in the end: for each event ID its last row in input order. */
function intended(rows: Row[]): Map<string, Row> {
	return new Map(rows.map((row) => [row.event_id, row]));
}

/** How many appointments are missing, stale or otherwise not as intended. */
export function wrongOnes(rows: Row[], stored: ReadonlyArray<object & { event_id: string }>): number {
	const found = new Map(
		stored.map((appointment) => [appointment.event_id, new Map(Object.entries(appointment))]),
	);
	return [...intended(rows).values()].filter((row) => {
		const appointment = found.get(row.event_id);
		return (
			appointment === undefined ||
			Object.entries(row).some(([field, value]) => {
				if (field === 'user_email') return String(appointment.get('attendees')) !== value;
				return JSON.stringify(appointment.get(field)) !== JSON.stringify(value);
			})
		);
	}).length;
}
