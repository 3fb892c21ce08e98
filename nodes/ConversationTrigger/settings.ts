import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

/** The node's parameters as a delivery needs them. */
export interface Settings {
	events: string[];
	signatureHeader: string;
	allowUnsigned: boolean;
	dropRepeats: boolean;
}

export const DEFAULT_SIGNATURE_HEADER = 'X-Service-Signature';

/** Reads the parameters; an option that was not added has its default. */
export function readSettings(context: IWebhookFunctions): Settings {
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const header = String(options.signatureHeader ?? '').trim();
	return {
		events: context.getNodeParameter('events', []) as string[],
		signatureHeader: header === '' ? DEFAULT_SIGNATURE_HEADER : header,
		allowUnsigned: options.allowUnsigned === true,
		dropRepeats: options.dropRepeats !== false,
	};
}
