import type { Organization } from './organization';
import { idOf, type IdKind } from './ids';
import { round } from '../statistics';
import { Random } from './random';
import type { User } from './people';
import { errors, firstNames, jobs, lastNames, leadSources, outcomes, places, streets } from './words';

export type ArrayName = 'conversations' | 'awaitingUpload' | 'errored';

/** One row before its fields are built. Times are epoch milliseconds. */
export interface Row {
	array: ArrayName;
	index: number;
	date: number;
	processedDate: number | null;
	user: User;
	/** What an ingested or inserted row was given; wins over what is generated. */
	fields?: Record<string, unknown>;
}

const recordingIds: Record<ArrayName, IdKind> = {
	conversations: 'recording',
	awaitingUpload: 'awaitingRecording',
	errored: 'erroredRecording',
};
const arrayNumbers: Record<ArrayName, number> = { conversations: 1, awaitingUpload: 2, errored: 3 };

/** The seeded source of a row's fields; `part` keeps independent groups of fields apart. */
export function randomOf(organization: Organization, row: Row, part: number): Random {
	return new Random(organization.seed, arrayNumbers[row.array], row.index, part);
}

export interface Talk {
	duration: number;
	speed: number | null;
	ratio: number | null;
	repMonologue: number | null;
	customerMonologue: number | null;
	talkTime: number;
	patience: number;
}

/** The numbers that the team and user metrics are averaged from. */
export function talkOf(organization: Organization, row: Row): Talk {
	const random = randomOf(organization, row, 1);
	const given = row.fields?.duration;
	const generated = row.array === 'errored' ? random.whole(2, 90) : random.whole(180, 5400);
	const duration = typeof given === 'number' ? given : generated;
	const hasTalk = row.array === 'conversations' && !random.chance(0.03);
	return {
		duration,
		speed: hasTalk ? round(110 + random.next() * 80, 1) : null,
		ratio: hasTalk ? round(0.3 + random.next() * 0.5, 4) : null,
		repMonologue: hasTalk ? round(duration * (0.02 + random.next() * 0.08), 1) : null,
		customerMonologue: hasTalk ? round(duration * (0.01 + random.next() * 0.06), 1) : null,
		talkTime: duration * (0.7 + random.next() * 0.25),
		patience: 0.4 + random.next() * 1.2,
	};
}

const recordingUser = (user: User) => ({ id: user.userId, name: user.name, email: user.email });

/** The 11 fields of a RecordingsExport (D1 § RecordingsExport). */
export function buildRecording(organization: Organization, row: Row) {
	const random = randomOf(organization, row, 2);
	const linked = random.chance(0.8);
	const integrated = linked && random.chance(0.3);
	const outcome = linked && random.chance(0.85) ? random.pick(outcomes) : null;
	const job = random.whole(10_000, 99_999);
	return {
		recordingId: idOf(organization.seed, recordingIds[row.array], row.index),
		date: new Date(row.date).toISOString(),
		title: random.chance(0.1) ? null : `${random.pick(jobs)} – ${random.pick(lastNames)}`,
		duration: talkOf(organization, row).duration,
		crmEventID: linked ? `evt-${job}-${row.index}` : null,
		user: recordingUser(row.user),
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

/** The 13 fields of an ErroredRecordingsExport. */
export function buildErrored(organization: Organization, row: Row) {
	const random = randomOf(organization, row, 3);
	const [mostly, often, seldom] = errors;
	return {
		...buildRecording(organization, row),
		processedDate: row.processedDate === null ? null : new Date(row.processedDate).toISOString(),
		error: random.next() < 0.55 ? mostly : random.next() < 0.8 ? often : seldom,
	};
}

/** A ConversationCustomer, or null when no customer fields exist. */
export function customerOf(random: Random) {
	if (random.chance(0.15)) return null;
	const [first, last, place] = [random.pick(firstNames), random.pick(lastNames), random.pick(places)];
	const known = random.chance(0.85);
	const customer = {
		name: random.chance(0.95) ? `${first} ${last}` : null,
		email: random.chance(0.7) ? `${first}.${last}@customer.example`.toLowerCase() : null,
		phone: random.chance(0.8) ? `+1555${random.whole(1_000_000, 9_999_999)}` : null,
		address: {
			street: known ? `${random.whole(1, 9999)} ${random.pick(streets)}` : null,
			unit: known && random.chance(0.2) ? `#${random.whole(1, 40)}` : null,
			city: known ? place.city : null,
			state: known ? place.state : null,
			zip: known ? place.zip : null,
			country: known && random.chance(0.8) ? place.country : null,
		},
	};
	const isEmpty = !known && !customer.name && !customer.email && !customer.phone;
	return isEmpty ? null : customer;
}
