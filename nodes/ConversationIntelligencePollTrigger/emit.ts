import type { IPollFunctions, IRun } from 'n8n-workflow';
import { logLine } from '../shared/errors/log';
import { conversationItem } from '../shared/exportApi/rows';
import type { Found } from './collect';
import type { Delivery, Ledger } from './ledger';
import type { Settings } from './settings';

/** Conversations to name in a line of the log. */
const MAX_NAMED = 5;

/** Starts one execution with all conversations, or one for each, and follows them. */
export function emit(
	context: IPollFunctions,
	parts: {
		found: Found[];
		delivered: Map<string, Delivery>;
		ledger: Ledger;
		settings: Settings;
	},
): void {
	const { found, delivered, ledger, settings } = parts;
	logAttempts(context, delivered);
	const executions = settings.executionFor === 'poll' ? [found] : found.map((one) => [one]);
	for (const conversations of executions) {
		const items = conversations.map(({ id, conversation }) => ({
			json: {
				...conversationItem(conversation, null),
				deliveryAttempt: delivered.get(id)!.attempts,
			},
		}));
		const done = context.helpers.createDeferredPromise<IRun | undefined>();
		context.__emit([items], undefined, done);
		const own = new Map(conversations.map(({ id }) => [id, delivered.get(id)!]));
		void ledger.follow(own, done.promise, settings.deliveredWhen);
	}
}

function logAttempts(context: IPollFunctions, delivered: Map<string, Delivery>): void {
	const again = new Map<number, string[]>();
	for (const [id, { attempts }] of delivered) {
		if (attempts > 1) again.set(attempts, [...(again.get(attempts) ?? []), id]);
	}
	for (const [attempt, ids] of again) {
		const more = ids.length > MAX_NAMED ? ` and ${ids.length - MAX_NAMED} more` : '';
		const named = ids.slice(0, MAX_NAMED).join(', ');
		logLine(context, 'info', `delivers again (attempt ${attempt}): ${named}${more}`);
	}
}
