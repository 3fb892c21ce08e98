import { randomUUID } from 'node:crypto';
import {
	type IDataObject,
	type IHttpRequestOptions,
	type INode,
	type INodeExecutionData,
	type IPollFunctions,
	type IRun,
} from 'n8n-workflow';
import { ConversationIntelligencePollTrigger } from '../../../nodes/ConversationIntelligencePollTrigger/ConversationIntelligencePollTrigger.node';
import type { Saved } from '../../../nodes/ConversationIntelligencePollTrigger/ledger';
import { WANTED_USER, type ListService } from './listService';

export const LOOK_BACK = 10 * 60_000;
export const START = Date.parse('2026-03-01T00:00:00Z');
const HOUR = 60 * 60_000;

/** n8n's time for a poll; half of it may pass before a poll counts as late. */
const BUDGET = 60_000;

/** What n8n reports about an execution; the last four mean that it has not ended. */
export type Outcome =
	| 'success'
	| 'error'
	| 'stopped'
	| 'timed out'
	| 'waiting'
	| 'worker lost'
	| 'not queued'
	| 'crashed'
	| 'not reported';

interface Execution {
	items: IDataObject[];
	delivered: string[];
	end: (outcome: Outcome) => Promise<void>;
}

interface Done {
	promise: Promise<IRun | undefined>;
	resolve: (run: IRun | undefined) => void;
	reject: (error: Error) => void;
}

function createDeferredPromise(): Done {
	const done = {} as Done;
	done.promise = new Promise((resolve, reject) => Object.assign(done, { resolve, reject }));
	return done;
}

const NODE = { id: 'node', name: 'Poll', parameters: { startFrom: 'whenPublished' } as IDataObject };

interface PollContext extends Partial<Record<keyof IPollFunctions, unknown>> {
	node?: { id: string; name: string; parameters: IDataObject };
	/** Which n8n remembers. */
	process: string;
	saved?: () => IDataObject;
	budgetMs?: number;
	respond: (request: IHttpRequestOptions) => Promise<unknown>;
}

/** What n8n keeps of a trigger that has delivered nothing since this time. */
export const savedSince = (from: number, filter: Saved['filters'][number]['filter'] = {}) => ({
	'conversationIntelligencePollTrigger:node': {
		version: 1,
		node: 'Poll',
		start: 'whenPublished',
		from,
		filters: [{ since: from, filter }],
		count: 0,
		seen: {},
	} satisfies Saved,
});

/** What n8n offers to `poll()` when a person publishes. */
export function pollContext(context: PollContext): IPollFunctions {
	const { process, saved = () => ({}), budgetMs = BUDGET, respond, node = NODE, ...more } = context;
	return {
		getMode: () => 'trigger',
		getActivationMode: () => 'update',
		getPollBudgetMs: () => budgetMs,
		getNode: () => ({ ...node, type: 'poll' }) as unknown as INode,
		getWorkflow: () => ({ id: process, name: 'Workflow' }),
		getWorkflowSettings: () => ({}),
		getWorkflowStaticData: saved,
		getNodeParameter: (name: string, fallback: unknown) => node.parameters[name] ?? fallback,
		getTimezone: () => 'UTC',
		getChildNodes: (name: string) => (name === node.name ? ['Write'] : []),
		getCredentials: async () => ({ baseUrl: 'https://service.example', apiKey: 'some-key' }),
		helpers: {
			createDeferredPromise,
			httpRequestWithAuthentication: async (_type: string, request: IHttpRequestOptions) =>
				await respond(request),
		},
		...more,
	} as unknown as IPollFunctions;
}

/** Calls the node's own `poll()` like an n8n that saves the position only when items are emitted. Has its own clock. */
export class PollingN8n {
	now = START;
	node = { id: 'node', name: 'Poll' };
	/** The static data that n8n reads after a crash. */
	saved = JSON.stringify(savedSince(START, { users: [WANTED_USER] }));
	running: Execution[] = [];
	readonly logged: string[] = [];
	/** Messages of failures that a person sees besides those of failed polls. */
	readonly shown: string[] = [];
	readonly deliveries = new Map<string, number>();
	readonly ended = new Set<string>();
	/** Conversations delivered again although their execution had ended before the last save. */
	readonly repeated: string[] = [];
	options: { retryFailedExecutions?: boolean; startExecutionFor?: 'poll' | 'conversation'; deliver?: 'new' } =
		{};
	limits = { lookBackMs: LOOK_BACK, maxRows: 500, isLate: () => false };
	startDate?: string;
	users = [WANTED_USER];
	minDuration = 0;
	/** The workflow's time limit, in seconds. */
	executionTimeout?: number;

	/** Conversations that this process knows to have ended. */
	private known = new Set<string>();
	private knownAtSave = new Set<string>();
	private process = randomUUID();
	private staticData = JSON.parse(this.saved) as Record<string, Saved>;
	private elapsed = 0;

	constructor(readonly service: ListService) {}

	get position(): Saved {
		return this.staticData[`conversationIntelligencePollTrigger:${this.node.id}`];
	}

	/** @returns how many conversations were delivered */
	async poll(): Promise<number> {
		const before = this.running.length;
		await this.atOwnTime(async () => {
			const returned = await new ConversationIntelligencePollTrigger().poll.call(this.context());
			expect(returned).toBeNull();
		});
		return this.running.slice(before).reduce((sum, { items }) => sum + items.length, 0);
	}

	/** Ends the execution at this index, oldest first. */
	async end(index: number, outcome: Outcome): Promise<void> {
		const [execution] = this.running.splice(index, 1);
		await this.atOwnTime(async () => await execution?.end(outcome));
	}

	/** Kills n8n: executions are lost, and only the saved position remains. */
	crash(): void {
		this.running = [];
		this.dropMemory();
		this.known = new Set(this.knownAtSave);
		this.publishAgain();
	}

	/** Replaces the node's code, as an update of the package does: executions go on, and their ends are not noticed. */
	dropMemory(): void {
		this.process = randomUUID();
	}

	/** Publishes the workflow again in the same process: n8n reads the saved position. */
	publishAgain(): void {
		this.staticData = JSON.parse(this.saved) as Record<string, Saved>;
	}

	/** Drops what this class recorded, for long runs. */
	forget(): void {
		for (const record of [this.deliveries, this.ended, this.known, this.knownAtSave]) record.clear();
	}

	/** Polls and lets all executions succeed until nothing is left to deliver. */
	async settle(): Promise<void> {
		this.service.failAt = Infinity;
		this.limits = { ...this.limits, isLate: () => false };
		for (let polls = 0; polls < 1000; polls++) {
			while (this.running.length > 0) await this.end(0, 'success');
			if ((await this.poll()) > 0) continue;
			if (!Object.values(this.position.seen).some(([, state]) => state === 2)) return;
			// What failed several times comes back after an hour at the latest.
			this.now += HOUR;
		}
		throw new Error('1,000 polls in a row had something to deliver');
	}

	/** Only while the node runs, because fast-check needs the real clock. */
	private async atOwnTime(run: () => Promise<void>): Promise<void> {
		const clock = jest.spyOn(Date, 'now').mockImplementation(() => this.now + this.elapsed);
		await run().finally(() => {
			clock.mockRestore();
			this.elapsed = 0;
		});
	}

	private context(): IPollFunctions {
		const parameters: IDataObject = {
			startFrom: this.startDate ? 'date' : 'whenPublished',
			startDate: this.startDate,
			filters: { users: this.users, ...(this.minDuration && { minDuration: this.minDuration }) },
			options: {
				lookBackMinutes: this.limits.lookBackMs / 60_000,
				maxConversationsPerPoll: this.limits.maxRows,
				...this.options,
			},
		};
		const write = (message: string) => void this.logged.push(message);
		return pollContext({
			node: { ...this.node, parameters },
			process: this.process,
			saved: () => this.staticData,
			respond: async (request) => {
				const response = this.service.respond(request);
				if (this.limits.isLate()) this.elapsed = BUDGET / 2;
				return response;
			},
			getWorkflowSettings: () => ({ executionTimeout: this.executionTimeout }),
			logger: { info: write, warn: write, error: write },
			__emitError: (error: Error) => void this.shown.push(error.message),
			__emit: ([items]: INodeExecutionData[][], _response: undefined, done: Done) =>
				this.start(
					items.map(({ json }) => json),
					done,
				),
		});
	}

	private start(items: IDataObject[], done: Done): void {
		const delivered = items.map(
			({ conversationId, processedDate }) => `${String(conversationId)}@${String(processedDate)}`,
		);
		this.saved = JSON.stringify(this.staticData);
		this.knownAtSave = new Set(this.known);
		this.repeated.push(...delivered.filter((one) => this.known.has(one)));
		for (const one of delivered) this.deliveries.set(one, (this.deliveries.get(one) ?? 0) + 1);
		const end = async (outcome: Outcome) => {
			if (['success', 'error', 'stopped', 'timed out', 'waiting'].includes(outcome)) {
				for (const one of delivered) {
					this.ended.add(one);
					this.known.add(one);
				}
			}
			const reasons = new Map([
				['stopped', 'manual'],
				['timed out', 'timeout'],
				['not queued', undefined],
			]);
			if (outcome === 'not reported') return;
			const failure = Object.assign(new Error(outcome), { reason: reasons.get(outcome) });
			if (reasons.has(outcome)) done.reject(failure);
			else done.resolve(runOf(outcome));
			// Lets everything run that waits for it.
			await new Promise(setImmediate);
		};
		this.running.push({ items, delivered, end });
	}
}

/** Runs as n8n 2.41 reports them: a lost worker appears as a failure before the first node. */
function runOf(outcome: Outcome): IRun {
	const status = outcome === 'worker lost' ? 'error' : outcome;
	const lastNodeExecuted = outcome === 'worker lost' ? undefined : 'Write';
	return { status, data: { resultData: { runData: {}, lastNodeExecuted } } } as unknown as IRun;
}
