import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { optionOf } from '../shared/node/parameters';
import { deliveredWhenOption, executionForOption, maxConversationsOption, overlapOption } from './properties';

/**
 * The node's options.
 *
 * @throws CodedError for a wrong value, by its label
 */
export function readSettings(context: IPollFunctions) {
	const options = context.getNodeParameter('options', {}) as IDataObject;
	return {
		overlapMs: optionOf(options, overlapOption) * 60_000,
		maxRows: optionOf(options, maxConversationsOption),
		deliveredWhen: optionOf(options, deliveredWhenOption),
		executionFor: optionOf(options, executionForOption),
		/** The workflow's own time limit for an execution; 0 or less for none. */
		timeLimitMs: Number(context.getWorkflowSettings().executionTimeout ?? 0) * 1000,
	};
}

export type Settings = ReturnType<typeof readSettings>;
