import { NodeOperationError, type IDataObject, type IPollFunctions } from 'n8n-workflow';
import { toUtcTimestamp } from '../shared/time/instant';
import { positionSchema, type Position } from './position';

/**
 * The saved position, or a new one where there is none for the node's setting.
 *
 * @param saved what n8n kept
 * @param now milliseconds since 1970
 * @throws NodeOperationError when it is damaged: starting over unasked could skip or repeat conversations
 * @throws UserError when Start Date is no date
 */
export function openPosition(context: IPollFunctions, saved: unknown, now: number): Position {
	const isDate = context.getNodeParameter('startFrom', 'activation') === 'date';
	// As typed, because another time zone of the workflow must not start over.
	const start = isDate ? String(context.getNode().parameters.startDate) : 'activation';
	const read = positionSchema.safeParse(saved);
	if (read.success && read.data.start === start) return read.data;
	const savedStart = positionSchema.pick({ start: true }).safeParse(saved).data?.start;
	if (saved !== undefined && (savedStart === undefined ? !isDate : savedStart === start)) {
		throw new NodeOperationError(context.getNode(), 'The saved position of this trigger is damaged', {
			description: 'Set Start From to Date and choose another Start Date to start over from there.',
			// Polling again does not help: n8n's scheduler then waits long.
			failure: { cause: 'configuration-invalid' },
		});
	}
	const date = context.getNodeParameter('startDate', '');
	const from = isDate ? Date.parse(toUtcTimestamp(date, context.getTimezone(), 'Start Date')) : now;
	return { start, from, seen: {} };
}

/** The options: milliseconds that each poll looks back, and how much it delivers at most. */
export function readOptions(context: IPollFunctions) {
	const options = context.getNodeParameter('options', {}) as IDataObject;
	return {
		overlapMs: Math.round(positive(options.overlapMinutes, 10) * 60_000),
		maxRows: Math.ceil(positive(options.maxConversations, 500)),
	};
}

function positive(value: unknown, otherwise: number): number {
	return typeof value === 'number' && value > 0 ? value : otherwise;
}
