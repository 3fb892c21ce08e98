import type { IRun } from 'n8n-workflow';
import { Deliveries } from '../../../nodes/ConversationIntelligencePollTrigger/deliveries';
import { pollOnce } from '../../../nodes/ConversationIntelligencePollTrigger/collect';
import type { Position } from '../../../nodes/ConversationIntelligencePollTrigger/position';
import type { ListService } from './listService';

export const OVERLAP = 10 * 60_000;
export const START = Date.parse('2026-03-01T00:00:00Z');

/** How an execution ended. n8n reports the last three for an execution that it lost. */
export type Outcome = 'success' | 'error' | 'stopped' | 'worker lost' | 'not queued' | 'crashed';

interface Execution {
	/** Conversations with their versions. */
	delivered: string[];
	end: (outcome: Outcome) => Promise<void>;
}

/** Polls like the node in an n8n that saves the position only when items are emitted. Has its own clock. */
export class PollingN8n {
	now = START;
	/** The position that n8n reads after a crash. */
	saved = JSON.stringify({ start: 'activation', from: START, seen: {} } satisfies Position);
	position = JSON.parse(this.saved) as Position;
	running: Execution[] = [];
	/** Conversation@version → number of deliveries. */
	readonly deliveries = new Map<string, number>();
	/** Conversations whose executions have ended. */
	readonly ended = new Set<string>();
	/** Conversations delivered again although their execution had ended before the last save. */
	readonly repeated: string[] = [];
	/** Conversations that this process knows to have ended. */
	private known = new Set<string>();
	private knownAtSave = new Set<string>();
	limits = { overlapMs: OVERLAP, maxRows: 500, isLate: () => false };
	private process = new Deliveries('activation');

	constructor(readonly service: ListService) {}

	/** @returns how many conversations were delivered */
	async poll(): Promise<number> {
		const { service, process } = this;
		const polled = await pollOnce(service, this.position, process, this.now, this.limits);
		this.position = polled.position;
		if (polled.found.length === 0) return 0;
		process.keepOnly(polled.position.seen);
		const delivered = polled.found.map(
			({ id, conversation }) => `${id}@${String(conversation.processedDate)}`,
		);
		this.repeated.push(...delivered.filter((one) => this.known.has(one)));
		this.saved = JSON.stringify(this.position);
		this.knownAtSave = new Set(this.known);
		for (const one of delivered) this.deliveries.set(one, (this.deliveries.get(one) ?? 0) + 1);
		this.follow(delivered, polled.delivered, process);
		return delivered.length;
	}

	/** Ends the execution at this index, oldest first. */
	async end(index: number, outcome: Outcome): Promise<void> {
		const [execution] = this.running.splice(index, 1);
		await execution?.end(outcome);
	}

	/** Kills n8n: executions are lost, and only the saved position remains. */
	crash(): void {
		this.running = [];
		this.process = new Deliveries('activation');
		this.known = new Set(this.knownAtSave);
		this.publishAgain();
	}

	/** Publishes the workflow again in the same process: n8n reads the saved position. */
	publishAgain(): void {
		this.position = JSON.parse(this.saved) as Position;
	}

	/** Polls and lets all executions succeed until nothing is left to deliver. */
	async settle(): Promise<void> {
		this.service.failAt = Infinity;
		this.limits = { ...this.limits, isLate: () => false };
		for (;;) {
			while (this.running.length > 0) await this.end(0, 'success');
			if ((await this.poll()) === 0) return;
		}
	}

	private follow(
		delivered: string[],
		entries: Parameters<Deliveries['follow']>[0],
		process: Deliveries,
	): void {
		let settle: { resolve: (run: IRun | undefined) => void; reject: (error: Error) => void };
		const done = new Promise<IRun | undefined>((resolve, reject) => (settle = { resolve, reject }));
		const followed = process.follow(entries, done);
		const end = async (outcome: Outcome) => {
			if (['success', 'error', 'stopped'].includes(outcome)) {
				for (const one of delivered) this.ended.add(one);
				for (const one of delivered) this.known.add(one);
			}
			if (outcome === 'not queued') settle.reject(new Error('The queue cannot be reached.'));
			else if (outcome === 'stopped')
				settle.reject(Object.assign(new Error('Stopped.'), { reason: 'manual' }));
			else settle.resolve(runOf(outcome));
			await followed;
		};
		this.running.push({ delivered, end });
	}
}

/** Runs as n8n 2.41 reports them: a lost worker appears as a failure before the first node. */
function runOf(outcome: Outcome): IRun {
	const status = outcome === 'worker lost' ? 'error' : outcome;
	const lastNodeExecuted = outcome === 'worker lost' ? undefined : 'Write';
	return { status, data: { resultData: { runData: {}, lastNodeExecuted } } } as unknown as IRun;
}
