import { UserError } from 'n8n-workflow';
import { z } from 'zod';

/** Times are milliseconds since 1970. */
const cursorSchema = z.object({
	/** The setting it was begun with; another one begins anew. */
	start: z.string(),
	/** Nothing processed before this is handed over. */
	floor: z.number(),
	/** Everything processed before this was handed over. It is the service's own time, never this machine's. */
	checkpoint: z.number(),
	/** Conversation ID → when it was processed, when it was handed over last, and how often; while it can be met again. */
	handed: z.record(z.tuple([z.number(), z.number(), z.number()])),
	/** The latest hand-overs: when, and the checkpoint before. */
	handOvers: z.array(z.object({ at: z.number(), from: z.number() })),
	/** The n8n processes that polled lately, latest last; with several main processes they take turns. */
	processes: z.array(z.string()),
});

/** As many as n8n would ever have at once. */
const PROCESSES = 20;

/** How far the trigger has come; kept in the node's static data. */
export type Cursor = z.infer<typeof cursorSchema>;

type Handed = Cursor['handed'][string];

/** What the next poll looks at. */
export interface Window {
	/** The checkpoint to go on from. */
	from: number;
	/** Start of the range to ask for: some way before it, for conversations that show up late. */
	since: number;
	/** Conversations that were handed over already. */
	handed: Cursor['handed'];
}

/** What a poll found. */
export interface Found {
	/** New conversations: ID and when processed. */
	rows: ReadonlyArray<{ id: string; processed: number }>;
	/** Where the next poll goes on. */
	checkpoint: number;
	/** Up to here everything was read. */
	until: number;
}

/**
 * A position before the first poll.
 *
 * @param start the setting that it is begun with
 * @param floor milliseconds since 1970
 * @param process the running n8n process
 */
export function beginCursor(start: string, floor: number, process: string): Cursor {
	return { start, floor, checkpoint: floor, handed: {}, handOvers: [], processes: [process] };
}

/**
 * Reads what static data holds.
 *
 * @returns undefined before the first poll
 * @throws UserError when it is damaged: beginning anew in silence would lose conversations
 */
export function readCursor(saved: unknown): Cursor | undefined {
	if (saved === undefined) return undefined;
	const read = cursorSchema.safeParse(saved);
	if (read.success) return read.data;
	throw new UserError(
		'The saved position of the Conversation Poll Trigger cannot be read. Set Start From to Date and choose another Start Date to begin anew from there.',
	);
}

/** How a poll treats what was handed over before. */
export interface Repetition {
	/** How far back each poll looks, and how long a hand-over may take to be worked off. */
	overlapMs: number;
	/** Takes the latest hand-overs back after a restart. */
	againAfterRestart: boolean;
	/** Hands each conversation over a second time once the overlap has passed. */
	twice: boolean;
	/** The running n8n process. */
	process: string;
	/** Now. */
	at: number;
}

/**
 * Opens the range of the next poll. n8n does not run interrupted executions again, so a process that never polled
 * before takes the latest hand-overs back: better twice than never.
 *
 * @returns what to ask for, and what to leave out of it
 */
export function openWindow(cursor: Cursor, repetition: Repetition): Window {
	const { floor, checkpoint, handOvers } = cursor;
	const { overlapMs, againAfterRestart, twice, process, at: now } = repetition;
	const takenBack = againAfterRestart && !cursor.processes.includes(process) ? handOvers : [];
	const from = Math.min(checkpoint, ...takenBack.map((handOver) => handOver.from));
	const first = Math.min(...takenBack.map(({ at }) => at));
	const isDue = ([, at, times]: Handed) => twice && times === 1 && at <= now - overlapMs;

	const entries = Object.entries(cursor.handed).filter(([, entry]) => entry[1] < first);
	const due = earliest(entries.filter(([, entry]) => isDue(entry)).map(([, entry]) => entry));
	const handed = Object.fromEntries(entries.filter(([, entry]) => !isDue(entry)));
	return { from, since: Math.max(floor, Math.min(from - overlapMs, due)), handed };
}

/**
 * Moves on after a poll.
 *
 * @returns the position to be saved last, and together with the hand-over
 */
export function advanceCursor(
	cursor: Cursor,
	window: Window,
	{ rows, checkpoint, until }: Found,
	{ overlapMs, twice, process, at }: Repetition,
): Cursor {
	const latest = cursor.handOvers.filter((handOver) => handOver.at > at - overlapMs);
	const handOvers = rows.length === 0 ? cursor.handOvers : [...latest, { at, from: window.from }];
	const handed = { ...window.handed };
	// Those that were due stay due until their time was read; one that was not listed then is gone.
	for (const [id, entry] of Object.entries(cursor.handed)) {
		const isOpen = twice && entry[2] === 1 && (entry[0] < window.since || entry[0] > until);
		if (isOpen) handed[id] ??= entry;
	}
	for (const { id, processed } of rows) handed[id] = [processed, at, (cursor.handed[id]?.[2] ?? 0) + 1];

	// The next polls look back as far as the overlap, a take-back and the second hand-overs need.
	const open = Object.values(handed).filter(([, , times]) => twice && times === 1);
	const lookBack = Math.min(checkpoint, ...handOvers.map(({ from }) => from)) - overlapMs;
	const reachable = Math.min(lookBack, earliest(open));
	for (const [id, [processed]] of Object.entries(handed)) if (processed < reachable) delete handed[id];
	const others = cursor.processes.filter((one) => one !== process);
	return { ...cursor, checkpoint, handed, handOvers, processes: [...others, process].slice(-PROCESSES) };
}

/** When the first of them was processed; a long overlap holds more of them than a function takes arguments. */
const earliest = (handed: Handed[]) =>
	handed.reduce((time, [processed]) => Math.min(time, processed), Infinity);
