import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { codedError } from '../shared/errors/codedError';
import type { ConversationFilter } from '../shared/exportApi/conversationFilter';
import { toUtcTimestamp } from '../shared/time/instant';
import { POLL_ERRORS } from './errors';
import { Ledger, savedSchema, type Saved } from './ledger';

const PREFIX = 'conversationIntelligencePollTrigger:';

/** Under the node's ID, so that renaming keeps it. */
const keyOf = (context: IPollFunctions) => `${PREFIX}${context.getNode().id}`;

/** Not n8n's durable cursors, because they drop what the first poll saves when a workflow is published. */
const dataOf = (context: IPollFunctions) => context.getWorkflowStaticData('global');

/** Keeps a ledger for n8n, which saves it with the next items. */
export function saveLedger(context: IPollFunctions, ledger: Ledger): void {
	dataOf(context)[keyOf(context)] = ledger.pack(context.getNode().name);
}

/**
 * The ledger to go on with, or a new one for a Start Date.
 * @param known what this process knows
 * @param filter of a new one
 * @returns undefined for When Published if nothing is saved
 * @throws CodedError when Start Date is not a date, or when the ledger is damaged: starting over could skip conversations
 */
export function openLedger(
	context: IPollFunctions,
	known: Ledger | undefined,
	filter: ConversationFilter,
): Ledger | undefined {
	const data = dataOf(context);
	adopt(context, data);
	const saved = data[keyOf(context)];
	const { data: intact } = savedSchema.safeParse(saved);
	// As typed, because another time zone of the workflow must not start over.
	const { startDate } = context.getNode().parameters;
	const start = context.getNodeParameter('startFrom') === 'date' ? String(startDate) : undefined;
	/** When Published goes on from anywhere. */
	const fits = (from: unknown) => start === undefined || from === start;
	const ledgers = [known, intact && Ledger.unpack(intact)].filter(
		(one) => one && fits(one.start),
	) as Ledger[];
	// Of two, the one that is ahead; another main process has saved it if this one does not know it.
	const ahead = ledgers.reduce((one, other) => (other.count > one.count ? other : one), ledgers[0]);
	if (known && ahead && ahead !== known) ahead.learn(known);
	if (ahead) return ahead;
	if (saved !== undefined && !intact && fits((saved as Partial<Saved> | null)?.start)) {
		// n8n's scheduler then waits long, because polling again does not help.
		const failure = { cause: 'configuration-invalid' } as const;
		throw codedError(POLL_ERRORS, 'position_damaged', {}, { failure });
	}
	if (start === undefined) return undefined;
	const date = toUtcTimestamp(context.getNodeParameter('startDate'), context.getTimezone(), 'Start Date');
	const from = Date.parse(date);
	return new Ledger(start, from, [{ since: from, filter }]);
}

/** A pasted or imported node has another ID: it goes on where the latest one was that no longer exists or starts nothing. */
function adopt(context: IPollFunctions, data: IDataObject): void {
	if (keyOf(context) in data) return;
	const gone = Object.keys(data).findLast((key) => {
		const node = key.startsWith(PREFIX) ? (data[key] as Partial<Saved> | null)?.node : undefined;
		// Names are unique.
		return node === context.getNode().name || (node && context.getChildNodes(node).length === 0);
	});
	if (gone === undefined) return;
	data[keyOf(context)] = data[gone];
	delete data[gone];
}
