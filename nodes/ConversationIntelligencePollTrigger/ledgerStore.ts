import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { codedError } from '../shared/errors/codedError';
import { toUtcTimestamp } from '../shared/time/instant';
import { POLL_ERRORS } from './errors';
import { Ledger, savedSchema } from './ledger';

/** What `start` says for Start From: When Published. */
export const WHEN_PUBLISHED = 'activation';

const PREFIX = 'conversationIntelligencePollTrigger:';

/**
 * What n8n keeps of a trigger, under the node's ID, so that renaming keeps it; not in n8n's durable cursors, because they
 * drop what the first poll saves when a workflow is published.
 */
export class LedgerStore {
	private readonly data: IDataObject;
	private readonly key: string;

	constructor(private readonly context: IPollFunctions) {
		this.data = context.getWorkflowStaticData('global');
		this.key = `${PREFIX}${context.getNode().id}`;
		if (this.key in this.data) return;
		// A pasted or imported node has another ID: it goes on where the one that is gone was.
		const gone = Object.keys(this.data).filter((key) => key.startsWith(PREFIX) && this.isGone(key));
		const fromOf = (key: string) => savedSchema.safeParse(this.data[key]).data?.from ?? -Infinity;
		const [adopted] = gone.sort((one, other) => fromOf(other) - fromOf(one));
		if (adopted === undefined) return;
		this.data[this.key] = this.data[adopted];
		delete this.data[adopted];
	}

	/** Whether the node of what is saved there no longer exists, or starts nothing. */
	private isGone(key: string): boolean {
		const node = savedSchema.pick({ node: true }).safeParse(this.data[key]).data?.node;
		// Names are unique.
		const isOwn = node === this.context.getNode().name;
		return isOwn || (node !== undefined && this.context.getChildNodes(node).length === 0);
	}

	/** Keeps it for n8n, which saves it with the next items. */
	save(ledger: Ledger): void {
		this.data[this.key] = ledger.pack(this.context.getNode().name);
	}

	/**
	 * The ledger to go on with, or a new one for a Start Date.
	 *
	 * @param known what this process knows
	 * @returns undefined for When Published if nothing is saved
	 * @throws CodedError when it is damaged: starting over silently could skip or repeat conversations
	 * @throws CodedError when Start Date is not a date
	 */
	open(known: Ledger | undefined): Ledger | undefined {
		const saved = this.data[this.key];
		const isDate = this.context.getNodeParameter('startFrom') === 'date';
		// As typed, because another time zone of the workflow must not start over.
		const start = isDate ? String(this.context.getNode().parameters.startDate) : undefined;
		const own = known && this.isSameStart(known.start, start) ? known : undefined;
		const { data } = savedSchema.safeParse(saved);
		if (data && this.isSameStart(data.start, start)) {
			return own && own.count >= data.count ? own : Ledger.unpack(data);
		}
		if (own) return own;
		const savedStart = savedSchema.pick({ start: true }).safeParse(saved).data?.start;
		if (saved !== undefined && (!isDate || savedStart === start)) {
			// n8n's scheduler then waits long, because polling again does not help.
			const failure = { cause: 'configuration-invalid' } as const;
			throw codedError(POLL_ERRORS, 'position_damaged', {}, { failure });
		}
		if (start === undefined) return undefined;
		return new Ledger(start, Date.parse(this.utc(this.context.getNodeParameter('startDate'))));
	}

	/** Whether a ledger fits the setting: When Published continues any, and a date can have another notation. */
	private isSameStart(saved: string, start: string | undefined): boolean {
		if (start === undefined || saved === start) return true;
		return saved !== WHEN_PUBLISHED && this.utc(saved) === this.utc(start);
	}

	private utc(date: unknown): string {
		return toUtcTimestamp(date, this.context.getTimezone(), 'Start Date');
	}
}
