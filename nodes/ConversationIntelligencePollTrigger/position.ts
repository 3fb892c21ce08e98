import type { IPollFunctions } from 'n8n-workflow';
import { z } from 'zod';
import { codedError } from '../shared/errors/codedError';
import { toUtcTimestamp } from '../shared/time/instant';
import { POLL_ERRORS } from './errors';

/** A conversation that was delivered. */
export interface Delivery {
	/** When it was processed, in milliseconds since 1970; the latest it can have been where its date is unreliable. */
	processedAt: number;
	/** `running` until n8n reports the end of its execution; `failed` if it has to be delivered again. */
	state: (typeof STATES)[number];
	/** How often this version was delivered. */
	attempts: number;
	/** When it was delivered last, by this machine's clock, in milliseconds since 1970. */
	deliveredAt: number;
}

/** How far a trigger has come. */
export interface Position {
	/** The setting it started with, as typed; another instant starts over. */
	start: string;
	/** Where the next poll starts to read, in milliseconds of the service's time; everything older was read. It only grows. */
	from: number;
	/** Conversations that a later poll can list again, and those that are not delivered yet, by ID. */
	deliveries: Map<string, Delivery>;
}

/** Their order is saved. */
const STATES = ['running', 'ended', 'failed'] as const;

/** As n8n saves it with the workflow whenever items are emitted. An ended delivery is only its date and its state. */
const packedSchema = z.object({
	start: z.string(),
	from: z.number(),
	seen: z.record(
		z.union([
			z.tuple([z.number(), z.literal(1)]),
			z.tuple([z.number(), z.number().int().min(0).max(2), z.number(), z.number()]),
		]),
	),
});

type Packed = z.infer<typeof packedSchema>;

export function packPosition({ start, from, deliveries }: Position): Packed {
	const pack = ({ processedAt, state, attempts, deliveredAt }: Delivery): Packed['seen'][string] =>
		state === 'ended' ? [processedAt, 1] : [processedAt, STATES.indexOf(state), attempts, deliveredAt];
	return {
		start,
		from,
		seen: Object.fromEntries([...deliveries].map(([id, delivery]) => [id, pack(delivery)])),
	};
}

function unpackPosition({ start, from, seen }: Packed): Position {
	const unpack = ([processedAt, state, attempts = 1, deliveredAt = processedAt]: Packed['seen'][string]) => ({
		processedAt,
		state: STATES[state],
		attempts,
		deliveredAt,
	});
	return {
		start,
		from,
		deliveries: new Map(Object.entries(seen).map(([id, entry]) => [id, unpack(entry)])),
	};
}

/** A `processedDate` may be rounded, so deliveries are kept a little longer than the dates require. */
const ROUNDING_MS = 60_000;

/** Moves a position on after a poll, and forgets the conversations that no later poll needs. */
export function advance(position: Position, from: number, deliveries: Map<string, Delivery>): Position {
	const next = Math.max(position.from, from);
	const needed = [...deliveries].filter(
		([, { state, processedAt }]) => state !== 'ended' || processedAt >= next - ROUNDING_MS,
	);
	return { start: position.start, from: next, deliveries: new Map(needed) };
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
export function openPosition(context: IPollFunctions, saved: unknown): Position | undefined {
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
	return { start, from, deliveries: new Map() };
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

/** The position of a workflow that is published at this time, in milliseconds of the service's time. */
export function positionAt(from: number): Position {
	return { start: WHEN_PUBLISHED, from, deliveries: new Map() };
}
