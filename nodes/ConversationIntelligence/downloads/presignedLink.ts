import type { IDataObject } from 'n8n-workflow';
import type { Item } from '../../shared/node/item';

/** A file of a conversation; the field with its link is called `transcriptUrl` or `audioUrl`. */
export type Media = 'transcript' | 'audio';

/**
 * The input item's own link for this conversation, unless it has expired: saves a request.
 *
 * @returns undefined without one
 */
export function linkOfInput({ json }: Item, conversationId: string, what: Media): PresignedLink | undefined {
	const link = linkOf(json, what);
	const hasExpired = !(Date.parse(String(json.urlsExpireAt)) > Date.now());
	if (json.conversationId !== conversationId || link.url === '' || hasExpired) return undefined;
	return { ...link, isFromInput: true };
}

/** The link in a conversation that the service just sent; `url` is empty when it has none. */
export function linkOf({ title, ...row }: IDataObject, what: Media) {
	const url = row[`${what}Url`];
	return {
		url: typeof url === 'string' ? url : '',
		/** Of the conversation. */
		title: typeof title === 'string' && title.trim() !== '' ? title : undefined,
		/** Whether it is from the input item, not fresh from the service. */
		isFromInput: false,
	};
}

export type PresignedLink = ReturnType<typeof linkOf>;
