import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { readUsers } from '../shared/exportApi/usersFilter';
import { optionOf, typedValue } from '../shared/node/parameters';
import {
	allowUnsignedOption,
	eventsParameter,
	ignoreRepeatsOption,
	maximumAgeOption,
	signatureHeaderOption,
} from './panel';

/** How far a sender's clock may be ahead; with more, a copy could be replayed for too long. */
export const MAX_AHEAD_MINUTES = 5;

/** Deeper JSON is no event, and could exhaust the stack of whatever reads it. */
export const MAX_LEVELS = 100;

/** A shorter signing secret could be guessed from one recorded delivery. */
export const MIN_SECRET_LENGTH = 16;

/**
 * Reads what decides how a delivery is verified. As saved: an expression would run on a delivery that may be forged.
 *
 * @throws CodedError for a value of the wrong type, an expression too
 */
export function readSettings(context: IHookFunctions | IWebhookFunctions) {
	const saved = (name: string, fallback: object) =>
		context.getNodeParameter(name, fallback, { rawExpressions: true });
	const { name, default: events } = eventsParameter;
	const options = saved('options', {}) as IDataObject;
	return {
		events: typedValue(saved(name, [...events]), eventsParameter) as string[],
		/** Name of the signature's header, in any capitalization. */
		signatureHeader: optionOf(options, signatureHeaderOption) || signatureHeaderOption.default,
		/** Accepts deliveries while no signing secret is saved. */
		allowUnsigned: optionOf(options, allowUnsignedOption),
		ignoreRepeats: optionOf(options, ignoreRepeatsOption),
		/** Oldest signed delivery that is accepted, in milliseconds; 0 for any age. */
		maximumAgeMs: optionOf(options, maximumAgeOption) * 60_000,
	};
}

export type Settings = ReturnType<typeof readSettings>;

/**
 * Reads the filter by users, the only parameter that takes an expression.
 *
 * @returns exact emails; undefined for all users
 * @throws CodedError for a value that is no list of emails
 */
export function readFilter(context: IHookFunctions | IWebhookFunctions): string[] | undefined {
	return readUsers(context.getNodeParameter('filters', {}) as IDataObject, context.getNode());
}

/** Tells the triggers of a process apart. */
export function keyOf(context: IWebhookFunctions): string {
	return `${context.getWorkflow().id}/${context.getNode().id}`;
}
