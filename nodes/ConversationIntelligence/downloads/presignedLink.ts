import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

export type LinkField = 'transcriptUrl' | 'audioUrl';

export interface PresignedLink {
	url: string;
	/** Of the conversation. */
	title: string | undefined;
	/** Whether it came with the input item, not from the service just now. */
	isFromInput: boolean;
}

/**
 * The link that the input item already has for this conversation, while it has not expired: saves a request.
 *
 * @returns undefined without one
 */
export function linkOfInput(
	context: IExecuteFunctions,
	itemIndex: number,
	conversationId: string,
	field: LinkField,
): PresignedLink | undefined {
	const { json } = context.getInputData()[itemIndex];
	const link = linkOf(json, field);
	const hasExpired = !(Date.parse(String(json.urlsExpireAt)) > Date.now());
	if (json.conversationId !== conversationId || link.url === '' || hasExpired) return undefined;
	return { ...link, isFromInput: true };
}

/** The link in a conversation that the service just sent; `url` is empty when it has none. */
export function linkOf({ title, ...row }: IDataObject, field: LinkField): PresignedLink {
	const url = row[field];
	return {
		url: typeof url === 'string' ? url : '',
		title: typeof title === 'string' && title.trim() !== '' ? title : undefined,
		isFromInput: false,
	};
}
