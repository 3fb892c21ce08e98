import { round } from '../statistics';
import type { User } from './people';
import { idOf, type IdKind, Random } from './random';
import { errors, firstNames, jobs, lastNames, leadSources, outcomes, places, streets } from './words';

export const arrayNames = ['conversations', 'awaitingUpload', 'errored'] as const;
export type ArrayName = (typeof arrayNames)[number];

/** A row before its fields are built. Times are epoch milliseconds. */
export interface Row {
	array: ArrayName;
	index: number;
	date: number;
	processedDate: number | null;
	user: User;
	/** Values of an ingested or inserted row, which replace generated ones. */
	fields?: Record<string, unknown>;
	/** The turns of the transcript, if they are not generated. */
	said?: string[];
}

/** The random source of a group of a row's fields; each `part` is independent. */
export function randomOf(seed: number, row: Row, part: number): Random {
	return new Random(seed, arrayNames.indexOf(row.array), row.index, part);
}

export const isoOf = (time: number | null) => (time === null ? null : new Date(time).toISOString());

/** The numbers behind team and user averages. */
export function talkOf(seed: number, row: Row) {
	const random = randomOf(seed, row, 1);
	const given = row.fields?.duration;
	const generated = row.array === 'errored' ? random.whole(2, 90) : random.whole(180, 5400);
	const duration = typeof given === 'number' ? given : generated;
	const hasTalk = row.array === 'conversations' && !random.chance(0.03);
	const talk = (min: number, max: number, digits: number) => {
		const value = round(min + random.next() * (max - min), digits);
		return hasTalk ? value : null;
	};
	return {
		duration,
		speed: talk(110, 190, 1),
		ratio: talk(0.3, 0.8, 4),
		repMonologue: talk(duration * 0.02, duration * 0.1, 1),
		customerMonologue: talk(duration * 0.01, duration * 0.07, 1),
		talkTime: duration * (0.7 + random.next() * 0.25),
		patience: 0.4 + random.next() * 1.2,
	};
}

/** A recording awaiting upload (D1 § RecordingsExport). */
export function buildRecording(seed: number, row: Row) {
	const random = randomOf(seed, row, 2);
	const linked = random.chance(0.8);
	const integrated = linked && random.chance(0.3);
	const outcome = linked && random.chance(0.85) ? random.pick(outcomes) : null;
	const job = random.whole(10_000, 99_999);
	const kind: IdKind = row.array === 'conversations' ? 'recording' : row.array;
	const { userId: id, name, email } = row.user;
	return {
		recordingId: idOf(seed, kind, row.index),
		date: new Date(row.date).toISOString(),
		title: random.chance(0.1) ? null : `${random.pick(jobs)} – ${random.pick(lastNames)}`,
		duration: talkOf(seed, row).duration,
		crmEventID: linked ? `evt-${job}-${row.index}` : null,
		user: { id, name, email },
		jobNumber: linked && random.chance(0.7) ? `J-${job}` : null,
		stLink: integrated ? `https://field-service.example/jobs/${job}` : null,
		totalSold: outcome === 'Sold' ? round(random.next() * 25_000, 2) : null,
		outcome,
		customFields: linked && random.chance(0.4) ? customFieldsOf(random) : null,
		...row.fields,
	};
}

function customFieldsOf(random: Random): Record<string, unknown> {
	return {
		'Lead Source': random.pick(leadSources),
		'Square Feet': random.whole(600, 6000),
		'Has Pets': random.chance(0.4),
		...(random.chance(0.3) ? { Financing: null } : {}),
	};
}

/** A recording that failed (D1 § ErroredRecordingsExport). */
export function buildErrored(seed: number, row: Row) {
	const share = randomOf(seed, row, 3).next();
	return {
		...buildRecording(seed, row),
		processedDate: isoOf(row.processedDate),
		error: errors[share < 0.55 ? 0 : share < 0.9 ? 1 : 2],
	};
}

/** A ConversationCustomer, or null when no customer fields exist. */
export function customerOf(random: Random) {
	if (random.chance(0.15)) return null;
	const [first, last] = [random.pick(firstNames), random.pick(lastNames)];
	const [city, state, zip, country] = random.pick(places);
	const known = random.chance(0.85);
	const customer = {
		name: random.chance(0.95) ? `${first} ${last}` : null,
		email: random.chance(0.7) ? `${first}.${last}@customer.example`.toLowerCase() : null,
		phone: random.chance(0.8) ? `+1555${random.whole(1_000_000, 9_999_999)}` : null,
		address: {
			street: known ? `${random.whole(1, 9999)} ${random.pick(streets)}` : null,
			unit: known && random.chance(0.2) ? `#${random.whole(1, 40)}` : null,
			city: known ? city : null,
			state: known ? state : null,
			zip: known ? zip : null,
			country: known && random.chance(0.8) ? country : null,
		},
	};
	return known || customer.name || customer.email || customer.phone ? customer : null;
}
