import { UserError, type IDataObject, type IHookFunctions, type IWebhookFunctions } from 'n8n-workflow';

/** The node's parameters as a delivery needs them. */
export interface Settings {
	events: string[];
	signatureHeader: string;
	allowUnsigned: boolean;
	dropRepeats: boolean;
	/** 0 for any age. */
	maximumAgeMs: number;
}

export const DEFAULT_SIGNATURE_HEADER = 'X-Service-Signature';

/** Generous, because the service may retry for hours (D1 § Delivery rules, 3: the timing is not published). */
export const DEFAULT_MAXIMUM_AGE_HOURS = 24;

const HOUR_MS = 60 * 60 * 1000;

/**
 * Reads the parameters; an option that was not added has its default.
 *
 * @throws UserError for a value of the wrong type
 */
export function readSettings(context: IHookFunctions | IWebhookFunctions): Settings {
	const parameter = (name: string, fallback: object): unknown => context.getNodeParameter(name, fallback);
	const options = parameter('options', {}) as IDataObject;
	const header = String(options.signatureHeader ?? '').trim();
	return {
		events: readEvents(parameter('events', [])),
		signatureHeader: header === '' ? DEFAULT_SIGNATURE_HEADER : header,
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
