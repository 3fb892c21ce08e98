import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHookFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { readUsers } from '../shared/exportApi/users';
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

/** A shorter signing secret could be guessed from one recorded delivery. */
export const MIN_SECRET_LENGTH = 16;

/**
 * Reads the trigger's parameters.
 *
 * @throws UserError for a value of the wrong type
 */
export function readSettings(context: IHookFunctions | IWebhookFunctions) {
	const { name, default: events } = eventsParameter;
	const options = context.getNodeParameter('options', {}) as IDataObject;
	return {
		events: typedValue(context.getNodeParameter(name, [...events]), eventsParameter) as string[],
		/** Exact emails; undefined for all users. */
		users: readUsers(context.getNodeParameter('filters', {}) as IDataObject),
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

/** What a delivery must prove, from the Conversation Export API credential; outer blanks never count. */
export function readSecrets(data: ICredentialDataDecryptedObject) {
	const saved = [text(data.signingSecret), text(data.previousSigningSecret)].filter(
		(secret) => secret !== '',
	);
	const isLong = ({ length }: string) => length >= MIN_SECRET_LENGTH;
	return {
		/** Current and previous signing secret; short ones left out. */
		signing: saved.filter(isLong),
		hasShort: !saved.every(isLong),
		/** The custom header that each delivery must carry; both parts empty for none. */
		receiverHeader: { name: text(data.receiverHeaderName), value: text(data.receiverHeaderSecret) },
	};
}

export type ReceiverSecrets = ReturnType<typeof readSecrets>;

function text(value: unknown): string {
	return typeof value === 'string' ? value.trim() : '';
}
