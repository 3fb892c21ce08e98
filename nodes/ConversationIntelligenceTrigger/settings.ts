import {
	UserError,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IHookFunctions,
	type IWebhookFunctions,
} from 'n8n-workflow';

export interface Settings {
	events: string[];
	/** Name of the signature's header, in any capitalization. */
	signatureHeader: string;
	/** Accepts deliveries while no signing secret is saved. */
	allowUnsigned: boolean;
	dropRepeats: boolean;
	/** Oldest signed delivery that is accepted, in milliseconds; 0 for any age. */
	maximumAgeMs: number;
}

/** What a delivery must prove, from the credential. */
export interface ReceiverSecrets {
	/** Current and previous signing secret; empty ones left out. */
	signing: string[];
	/** The custom header that each delivery must carry; both parts empty when none is wanted. */
	receiverHeader: { name: string; value: string };
}

export const DEFAULT_SIGNATURE_HEADER = 'X-Service-Signature';

/** Generous, because the service may retry for hours (D1 § Delivery rules, 3: the timing is not published). */
export const DEFAULT_MAXIMUM_AGE_HOURS = 24;

const HOUR_MS = 60 * 60 * 1000;

/**
 * Reads the trigger's parameters.
 *
 * @throws UserError for a value of the wrong type
 */
export function readSettings(context: IHookFunctions | IWebhookFunctions): Settings {
	const parameter = (name: string, fallback: object): unknown => context.getNodeParameter(name, fallback);
	const options = parameter('options', {}) as IDataObject;
	return {
		events: readEvents(parameter('events', [])),
		signatureHeader: text(options.signatureHeader).trim() || DEFAULT_SIGNATURE_HEADER,
		allowUnsigned: options.allowUnsigned === true,
		dropRepeats: options.dropRepeats !== false,
		maximumAgeMs: readHours(options.maximumAge ?? DEFAULT_MAXIMUM_AGE_HOURS) * HOUR_MS,
	};
}

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

/** Reads the fields of the Conversation Export API credential that are for this trigger. */
export function readSecrets(data: ICredentialDataDecryptedObject): ReceiverSecrets {
	return {
		signing: [text(data.signingSecret), text(data.previousSigningSecret)].filter(
			(secret) => secret.trim() !== '',
		),
		// Header values arrive without surrounding whitespace, so a pasted line break must not count.
		receiverHeader: {
			name: text(data.receiverHeaderName).trim(),
			value: text(data.receiverHeaderSecret).trim(),
		},
	};
}

function text(value: unknown): string {
	return typeof value === 'string' ? value : '';
}
