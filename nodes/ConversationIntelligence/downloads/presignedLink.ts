import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { fetchConversation } from '../lookup/fetchConversation';

export type LinkField = 'transcriptUrl' | 'audioUrl';

/** A presigned link of one conversation, and what the conversation is called. */
export interface PresignedLink {
	url: string;
	title: string | undefined;
	/** Whether it came with the input item, not from the service just now. */
	isFromInput: boolean;
}

/**
 * The link that the input item already holds for this conversation, while it has not expired: saves a request.
 */
export function linkOfInput(
	context: IExecuteFunctions,
	itemIndex: number,
	conversationId: string,
	field: LinkField,
): PresignedLink | undefined {
	const { json } = context.getInputData()[itemIndex];
	const url = json[field];
	if (json.conversationId !== conversationId || typeof url !== 'string' || url === '') return undefined;
	const expires = Date.parse(String(json.urlsExpireAt));
	if (!(expires > Date.now())) return undefined;
	return { url, title: titleOf(json), isFromInput: true };
}

/** A fresh link from the service; `url` is empty when the conversation has none. */
export async function freshLink(
	context: IExecuteFunctions,
	itemIndex: number,
	conversationId: string,
	field: LinkField,
): Promise<PresignedLink> {
	const row = await fetchConversation(context, conversationId, itemIndex);
	const url = row[field];
	return { url: typeof url === 'string' ? url : '', title: titleOf(row), isFromInput: false };
}

function titleOf({ title }: IDataObject): string | undefined {
	return typeof title === 'string' && title.trim() !== '' ? title : undefined;
}
