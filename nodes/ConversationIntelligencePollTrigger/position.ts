import type { IPollFunctions } from 'n8n-workflow';
import { z } from 'zod';
import { codedError } from '../shared/errors/codedError';
import { toUtcTimestamp } from '../shared/time/instant';
import { POLL_ERRORS } from './errors';
import type { Delivery } from './ledger';

/** How far a trigger has come. */
export interface Position {
	/** The setting it started with, as typed; another instant starts over. */
	start: string;
	/** Where the next poll starts to read, in milliseconds of the service's time; everything older was read. It only grows. */
	from: number;
	/** From when conversations of each user count, by email, so that a wider filter delivers nothing from the past. */
	users: Users;
	/** Conversations that a later poll can list again, and those that are not delivered yet, by ID. */
	deliveries: ReadonlyMap<string, Delivery>;
}

export type Users = ReadonlyMap<string, number>;

/** Emails of the users filter; undefined for all users. */
export type Filter = readonly string[] | undefined;

/** All users who are not named. */
const OTHERS = '*';

/** Their order is saved. */
const STATES = ['running', 'ended', 'failed'] as const;

/** As n8n saves it with the workflow whenever items are emitted. An ended delivery is only its date and its state. */
const packedSchema = z.object({
	start: z.string(),
	from: z.number(),
	users: z.record(z.number()),
	seen: z.record(
		z.union([
			z.tuple([z.number(), z.literal(1)]),
			z.tuple([z.number(), z.number().int().min(0).max(2), z.number(), z.number()]),
		]),
	),
});

type Packed = z.infer<typeof packedSchema>;

export function packPosition({ start, from, users, deliveries }: Position): Packed {
	const pack = ({ processedAt, state, attempts, deliveredAt }: Delivery): Packed['seen'][string] =>
		state === 'ended' ? [processedAt, 1] : [processedAt, STATES.indexOf(state), attempts, deliveredAt];
	const seen = [...deliveries].map(([id, delivery]) => [id, pack(delivery)] as const);
	return { start, from, users: Object.fromEntries(users), seen: Object.fromEntries(seen) };
}

function unpackPosition({ start, from, users, seen }: Packed): Position {
	const unpack = ([processedAt, state, attempts = 1, deliveredAt = processedAt]: Packed['seen'][string]) => ({
		processedAt,
		state: STATES[state],
		attempts,
		deliveredAt,
	});
	const deliveries = new Map(Object.entries(seen).map(([id, entry]) => [id, unpack(entry)]));
	return { start, from, users: new Map(Object.entries(users)), deliveries };
}

/** Whether the users filter asks for somebody for whom nothing was delivered before. */
export function isWider(filter: Filter, users: Users): boolean {
	return !users.has(OTHERS) && (filter ?? [OTHERS]).some((user) => !users.has(user));
}

/**
 * Adapts a position to the users filter.
 *
 * @param since from when conversations of those count who were left out before
 */
export function withUsers(position: Position, filter: Filter, since: number): Position {
	const { users: before } = position;
	const named = filter ?? [...before.keys(), OTHERS];
	const users = new Map(named.map((user) => [user, before.get(user) ?? before.get(OTHERS) ?? since]));
	return { ...position, users, from: Math.max(position.from, Math.min(...users.values())) };
}

/** From when conversations of a user count; undefined for never. */
export function countsFrom(users: Users, email: unknown): number | undefined {
	return users.get(email as string) ?? users.get(OTHERS);
}

/** What `start` says for Start From: When Published. */
const WHEN_PUBLISHED = 'activation';

/**
 * The saved position, or a new one for a Start Date.
 *
 * @param saved what n8n has saved
 * @returns undefined for When Published without a saved position
 * @throws CodedError when it is damaged: starting over silently could skip or repeat conversations
 * @throws CodedError when Start Date is not a date
 */
export function openPosition(context: IPollFunctions, saved: unknown, filter: Filter): Position | undefined {
	const isDate = context.getNodeParameter('startFrom') === 'date';
	// As typed, because another time zone of the workflow must not start over.
	const start = isDate ? String(context.getNode().parameters.startDate) : WHEN_PUBLISHED;
	const read = packedSchema.safeParse(saved);
	if (read.success && isSameStart(context, read.data.start, start)) return unpackPosition(read.data);
	const savedStart = packedSchema.pick({ start: true }).safeParse(saved).data?.start;
	if (saved !== undefined && (savedStart === undefined ? !isDate : savedStart === start)) {
		// n8n's scheduler then waits long, because polling again does not help.
		const failure = { cause: 'configuration-invalid' } as const;
		throw codedError(POLL_ERRORS, 'position_damaged', {}, { failure });
	}
	if (!isDate) return undefined;
	const date = context.getNodeParameter('startDate');
	const from = Date.parse(toUtcTimestamp(date, context.getTimezone(), 'Start Date'));
	return positionAt(from, filter, start);
}

/** Whether two settings mean the same start: a date in another notation does. */
function isSameStart(context: IPollFunctions, saved: string, start: string): boolean {
	if (saved === start) return true;
	if (saved === WHEN_PUBLISHED || start === WHEN_PUBLISHED) return false;
	const [one, other] = [saved, start].map((date) =>
		toUtcTimestamp(date, context.getTimezone(), 'Start Date'),
	);
	return one === other;
}

/** A new position, by default of a workflow that is published at this time, in milliseconds of the service's time. */
export function positionAt(from: number, filter: Filter, start = WHEN_PUBLISHED): Position {
	return withUsers({ start, from, users: new Map(), deliveries: new Map() }, filter, from);
}
