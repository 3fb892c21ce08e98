import { randomUUID } from 'crypto';
import {
	NodeOperationError,
	type IDataObject,
	type INodeExecutionData,
	type IPollFunctions,
} from 'n8n-workflow';
import { toUtcTimestamp } from '../shared/time/instant';
import { forgetCredentials } from '../shared/transport';
import { conversationItem } from '../shared/webhook';
import { BeginningMemory } from './beginning';
import { collect } from './collect';
import { advanceCursor, beginCursor, openWindow, readCursor } from './cursor';
import { processedPages } from './pages';

/** Names this n8n process: a saved position with another name was left by one that ended. */
const PROCESS = randomUUID();

const MINUTE_MS = 60_000;
const CONCURRENCY = 5;
/** The rest of n8n's time for a poll is kept for the part that is under way. */
const SHARE_OF_BUDGET = 0.5;
/** An n8n before the scheduled pollers sets no limit. */
const DEFAULT_BUDGET_MS = 5 * MINUTE_MS;
/** However much time there is, what was found should be handed over before long. */
const LONGEST_POLL_MS = MINUTE_MS;
const SAMPLE = { days: 30, rows: 5 };

/** Polls under way. n8n starts one whenever its time has come, also while an earlier one still waits for the service. */
const underWay = new Map<string, number>();

/**
 * One poll: what was processed since the checkpoint and was not handed over yet. The position is changed last, so
 * that a poll that fails is taken up by the next one.
 *
 * @returns null when there is nothing new, and while an earlier poll is under way
 * @throws what the service or the settings have wrong; the position stays as it is
 */
export async function pollConversations(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	if (context.getMode() === 'manual') return await sample(context);
	const key = `${context.getWorkflow().id}:${context.getNode().id}`;
	const at = Date.now();
	const budget = context.getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS;
	// One that should have ended long ago must not hold up the others.
	if (at - (underWay.get(key) ?? -Infinity) < budget + MINUTE_MS) return null;
	underWay.set(key, at);
	try {
		return await pollOnce(context, at, budget);
	} finally {
		if (underWay.get(key) === at) underWay.delete(key);
	}
}

async function pollOnce(
	context: IPollFunctions,
	at: number,
	budget: number,
): Promise<INodeExecutionData[][] | null> {
	// n8n polls with one context as long as the workflow is published: a changed credential must reach it.
	forgetCredentials(context);
	const settings = readSettings(context, at);
	const staticData = context.getWorkflowStaticData('node');
	const beginning = new BeginningMemory(context);
	const saved = readSaved(context, staticData, settings.start, beginning.recall()?.start);
	const cursor = saved ?? beginCursor(settings.start, floorOf(settings, beginning), PROCESS);
	const window = openWindow(cursor, settings);

	const found = await collect(processedPages(context, at + budget), {
		...window,
		// Beyond now, because the service's clock may be ahead of this one.
		until: Math.max(at, window.since) + settings.overlapMs,
		isHanded: (id) => Object.hasOwn(window.handed, id),
		maxRows: settings.maxRows,
		deadline: at + Math.min(budget, LONGEST_POLL_MS) * SHARE_OF_BUDGET,
		concurrency: CONCURRENCY,
		warn: (message) => context.logger.warn(message, { nodeName: context.getNode().name }),
	});

	if (!saved) beginning.remember(cursor);
	staticData.cursor = advanceCursor(cursor, window, found, { ...settings, at: Date.now() });
	if (found.rows.length === 0) return null;
	return [found.rows.map(({ conversation }) => ({ json: conversationItem(conversation, at, null) }))];
}

function readSettings(context: IPollFunctions, now: number) {
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const fromDate = context.getNodeParameter('startFrom', 'activation') === 'date';
	const start = fromDate
		? toUtcTimestamp(context.getNodeParameter('startDate', ''), context.getTimezone(), 'Start Date')
		: 'activation';
	return {
		start,
		floor: fromDate ? Date.parse(start) : now,
		overlapMs: positive(options.overlapMinutes, 10) * MINUTE_MS,
		maxRows: positive(options.maxConversations, 500),
		againAfterRestart: options.handOverAgain !== false,
		twice: options.handOverTwice === true,
		process: PROCESS,
		at: now,
	};
}

function positive(value: unknown, otherwise: number): number {
	return typeof value === 'number' && value >= 1 ? value : otherwise;
}

/** Where a first poll begins: where this node once began with the same setting, or where the setting says. */
function floorOf({ start, floor }: ReturnType<typeof readSettings>, beginning: BeginningMemory): number {
	const known = beginning.recall();
	return known?.start === start ? known.floor : floor;
}

/** A position begun with another setting, or with none that can be read, does not count where a date says what does. */
function readSaved(context: IPollFunctions, { cursor }: IDataObject, start: string, begun?: string) {
	const own = (cursor as IDataObject | null | undefined)?.start;
	const startOfSaved = typeof own === 'string' ? own : begun;
	const isOther = startOfSaved === undefined ? start !== 'activation' : startOfSaved !== start;
	if (isOther) return undefined;
	try {
		return readCursor(cursor);
	} catch (error) {
		// Polling again does not help: n8n's scheduler then waits long.
		throw new NodeOperationError(context.getNode(), error as Error, {
			failure: { cause: 'configuration-invalid' },
		});
	}
}

/** A few conversations for the editor; the position is not touched. */
async function sample(context: IPollFunctions): Promise<INodeExecutionData[][]> {
	forgetCredentials(context);
	const to = Date.now();
	const from = to - SAMPLE.days * 24 * 60 * MINUTE_MS;
	const { rows } = await processedPages(context)({ from, to }, 1, SAMPLE.rows);
	if (rows.length > 0) return [rows.map((row) => ({ json: conversationItem(row, to, null) }))];
	throw new NodeOperationError(
		context.getNode(),
		`No conversation was processed in the last ${SAMPLE.days} days, so there is no sample to show`,
		{ description: 'Publish the workflow all the same: it starts once a conversation is processed.' },
	);
}
