import {
	UserError,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IHookFunctions,
	type IWebhookFunctions,
} from 'n8n-workflow';

export const DEFAULT_SIGNATURE_HEADER = 'X-Service-Signature';

/** Long, because the service may retry for hours (D1 § Delivery rules, 3: the timing is not published). */
export const DEFAULT_MAXIMUM_AGE_HOURS = 24;

const HOUR_MS = 60 * 60 * 1000;

/**
 * Reads the trigger's parameters.
 *
 * @throws UserError for a value of the wrong type
 */
export function readSettings(context: IHookFunctions | IWebhookFunctions) {
	const options = context.getNodeParameter('options', {}) as IDataObject;
	return {
		events: readEvents(context.getNodeParameter('events', [])),
		/** Name of the signature's header, in any capitalization. */
		signatureHeader: text(options.signatureHeader).trim() || DEFAULT_SIGNATURE_HEADER,
		/** Accepts deliveries while no signing secret is saved. */
		allowUnsigned: options.allowUnsigned === true,
		dropRepeats: options.dropRepeats !== false,
		/** Oldest signed delivery that is accepted, in milliseconds; 0 for any age. */
		maximumAgeMs: readHours(options.maximumAge ?? DEFAULT_MAXIMUM_AGE_HOURS) * HOUR_MS,
	};
}

export type Settings = ReturnType<typeof readSettings>;

function readEvents(value: unknown): string[] {
	if (Array.isArray(value)) return value.map(String);
	throw new UserError(`Trigger On is not a list: ${JSON.stringify(value)}. Choose the events from the list.`);
}

function readHours(value: unknown): number {
	if (typeof value === 'number' && value >= 0) return value;
	throw new UserError(
		`Maximum Age is ${JSON.stringify(value)}. Use a number of hours from 0; 0 accepts any age.`,
	);
}

/** What a delivery must prove, from the Conversation Export API credential. */
export function readSecrets(data: ICredentialDataDecryptedObject) {
	const secrets = [text(data.signingSecret), text(data.previousSigningSecret)];
	return {
		/** Current and previous signing secret; empty ones left out. */
		signing: secrets.filter((secret) => secret.trim() !== ''),
		/**
		 * The custom header that each delivery must carry; both parts empty for none. Header values arrive without
		 * surrounding whitespace, so a pasted line break is ignored.
		 */
		receiverHeader: {
			name: text(data.receiverHeaderName).trim(),
			value: text(data.receiverHeaderSecret).trim(),
		},
	};
}

export type ReceiverSecrets = ReturnType<typeof readSecrets>;

function text(value: unknown): string {
	return typeof value === 'string' ? value : '';
}
