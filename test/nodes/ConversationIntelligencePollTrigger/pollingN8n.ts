import { randomUUID } from 'node:crypto';
import { DateTime } from 'luxon';
import type { IDataObject, INodeExecutionData, IPollFunctions, IRun } from 'n8n-workflow';
import { ConversationIntelligencePollTrigger } from '../../../nodes/ConversationIntelligencePollTrigger/ConversationIntelligencePollTrigger.node';
import type { Saved } from '../../../nodes/ConversationIntelligencePollTrigger/ledger';
import { ListService, WANTED_USER } from './listService';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const LOOK_BACK = 10 * MINUTE;
export const START = Date.parse('2026-03-01T00:00:00Z');

/** Each n8n has the next of these time zones, so that no test relies on one. */
const ZONES = ['Asia/Tokyo', 'UTC', 'America/New_York', 'Australia/Lord_Howe'];
let count = 0;

const SLOT = 'conversationIntelligencePollTrigger:';

type Done = ReturnType<IPollFunctions['helpers']['createDeferredPromise']>;
type Request = Parameters<ListService['respond']>[0];

const run = (status: string, lastNodeExecuted?: string, runData = {}) =>
	({ status, data: { resultData: { runData, lastNodeExecuted } } }) as unknown as IRun;
const rejection = (reason?: string) => Object.assign(new Error('rejected'), { reason });

/** What n8n 2.41 reports of an execution that has ended. */
const ENDED = {
	success: run('success'),
	error: run('error', 'Write'),
	'error after a node': run('error', undefined, { Write: [] }),
	canceled: run('canceled'),
	stopped: rejection('manual'),
	'timed out': rejection('timeout'),
	waiting: run('waiting', 'Write'),
};
/** Of one that was lost. A lost worker appears as a failure before the first node. */
const LOST = {
	'worker lost': run('error'),
	crashed: run('crashed'),
	'not queued': rejection(),
	'given up by n8n': rejection('shutdown'),
	'ended without a run': undefined,
};

export type Outcome = keyof typeof ENDED | keyof typeof LOST;

/** What n8n keeps of a trigger that has delivered nothing since this time. */
export const savedSince = (from: number, filter: Saved['filters'][number]['filter'] = {}) => {
	const filters = [{ since: from, filter }];
	const position = { version: 1, node: 'Poll', start: 'whenPublished', from, filters, count: 0, seen: {} };
	return { [`${SLOT}node`]: position as Saved };
};

/** By what a version of a conversation is known, e.g. `c1@2026-03-01T00:00:00.000Z`. */
export const versionOf = ({ conversationId, processedDate = null }: IDataObject) =>
	`${String(conversationId)}@${String(processedDate)}`;

/** Calls the node's own `poll()` like an n8n that saves the position only when items are emitted. Has its own clock. */
export class PollingN8n {
	now = START;
	/** How long a response takes; a poll, which has a minute, is late after half of it. */
	responseMs = 0;
	node = { id: 'node', name: 'Poll' };
	timezone = ZONES[count++ % ZONES.length];
	startDate?: string;
	/** Whether one context serves all polls until the workflow is published again; n8n's scheduler makes one for each. */
	keepsContext = false;
	filters: IDataObject = { users: [WANTED_USER] };
	options: IDataObject = {};
	output?: string;
	/** Which the node's memory is of: another one after an update of the package, too. */
	process = randomUUID() as string;
	/** Replaces a part of what n8n offers to the node. */
	more: Partial<Record<keyof IPollFunctions, unknown>> = {};
	/** The static data that n8n reads after a crash. */
	saved = JSON.stringify(savedSince(START, { users: [WANTED_USER] }));
	/** The static data of the running process. */
	data = JSON.parse(this.saved) as Record<string, Saved>;
	running: Array<{ items: IDataObject[]; done: Done }> = [];
	readonly logged: string[] = [];
	/** Messages of failures that a person sees besides those of failed polls. */
	readonly shown: string[] = [];
	/** How often each version was delivered. */
	readonly deliveries = new Map<string, number>();
	readonly ended = new Set<string>();
	/** Versions delivered again although their execution had ended before the last save. */
	readonly repeated: string[] = [];

	/** Versions that this process knows to have ended. */
	known = new Set<string>();
	private knownAtSave = new Set<string>();
	private elapsed = 0;
	private kept?: IPollFunctions;

	constructor(readonly service = new ListService()) {}

	get position(): Saved {
		return this.data[`${SLOT}${this.node.id}`];
	}

	/** IDs of the latest execution. */
	get latest() {
		return this.running.at(-1)?.items.map(({ conversationId }) => conversationId);
	}

	/** Sets Start Date as the editor does, which is by the workflow's time zone and without an offset. */
	startAt(time: number): void {
		this.startDate = DateTime.fromMillis(time, { zone: this.timezone }).toISO({ includeOffset: false })!;
	}

	/** @returns how many conversations were delivered */
	async poll(): Promise<number> {
		const before = this.running.length;
		const trigger = new ConversationIntelligencePollTrigger();
		const context = (this.keepsContext && this.kept) || this.context();
		this.kept = context;
		await this.atOwnTime(async () => expect(await trigger.poll.call(context)).toBeNull());
		return this.running.slice(before).flatMap(({ items }) => items).length;
	}

	/** Ends the execution at this index, oldest first. */
	async end(index: number, outcome: Outcome = 'success'): Promise<void> {
		const [execution] = this.running.splice(index, 1);
		if (!execution) return;
		for (const one of outcome in ENDED ? execution.items.map(versionOf) : []) {
			this.ended.add(one);
			this.known.add(one);
		}
		const report = { ...ENDED, ...LOST }[outcome];
		await this.atOwnTime(async () => {
			if (report instanceof Error) execution.done.reject(report);
			else execution.done.resolve(report as never);
			// Lets everything run that waits for it.
			await new Promise(setImmediate);
		});
	}

	async endAll(): Promise<void> {
		while (this.running.length > 0) await this.end(0);
	}

	/** Kills n8n: executions are lost, and only the saved position remains. */
	crash(): void {
		this.running = [];
		this.process = randomUUID();
		this.known = new Set(this.knownAtSave);
		this.publishAgain();
	}

	/** Publishes the workflow again in the same process: n8n reads the saved position. */
	publishAgain(saved?: object): void {
		this.kept = undefined;
		if (saved) this.saved = JSON.stringify(saved);
		this.data = JSON.parse(this.saved) as Record<string, Saved>;
	}

	/** Polls and lets all executions succeed until nothing is left to deliver. */
	async settle(): Promise<void> {
		this.service.failAt = Infinity;
		this.responseMs = 0;
		for (let polls = 0; polls < 1000; polls++) {
			await this.endAll();
			if ((await this.poll()) > 0) continue;
			if (!Object.values(this.position.seen).some(([, state]) => state === 2)) return;
			// What failed several times comes back after an hour at the latest.
			this.now += HOUR;
		}
		throw new Error('1,000 polls in a row had something to deliver');
	}

	/** What n8n offers to `poll()` when a person publishes. */
	context(): IPollFunctions {
		const { startDate, filters, output, options } = this;
		const startFrom = startDate ? 'date' : 'whenPublished';
		const parameters: IDataObject = { startFrom, startDate, filters, output, options };
		const write = (line: string) => void this.logged.push(line);
		return {
			getMode: () => 'trigger',
			getActivationMode: () => 'update',
			getPollBudgetMs: () => MINUTE,
			getNode: () => ({ ...this.node, type: 'poll', parameters }),
			getWorkflow: () => ({ id: this.process, name: 'Workflow' }),
			getWorkflowSettings: () => ({}),
			getWorkflowStaticData: () => this.data,
			getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
			getTimezone: () => this.timezone,
			getChildNodes: (name: string) => (name === this.node.name ? ['Write'] : []),
			getCredentials: async () => ({ baseUrl: 'https://service.example', apiKey: 'some-key' }),
			helpers: {
				createDeferredPromise(): Done {
					const done = {} as Done;
					done.promise = new Promise((resolve, reject) => Object.assign(done, { resolve, reject }));
					return done;
				},
				httpRequestWithAuthentication: async (_type: string, request: Request) => {
					const response = await this.service.respond(request);
					this.elapsed = this.responseMs;
					return response;
				},
			},
			logger: { info: write, warn: write, error: write },
			__emitError: ({ message }: Error) => void this.shown.push(message),
			__emit: ([items]: INodeExecutionData[][], _response: undefined, done: Done) => {
				this.saved = JSON.stringify(this.data);
				this.knownAtSave = new Set(this.known);
				this.running.push({ items: items.map(({ json }) => json), done });
				for (const one of items.map(({ json }) => versionOf(json))) {
					if (this.known.has(one)) this.repeated.push(one);
					this.deliveries.set(one, (this.deliveries.get(one) ?? 0) + 1);
				}
			},
			...this.more,
		} as unknown as IPollFunctions;
	}

	/** Only while the node runs, because fast-check needs the real clock. */
	private async atOwnTime(task: () => Promise<void>): Promise<void> {
		const clock = jest.spyOn(Date, 'now').mockImplementation(() => this.now + this.elapsed);
		await task().finally(() => {
			clock.mockRestore();
			this.elapsed = 0;
		});
	}
}
