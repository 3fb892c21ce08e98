import type { IDataObject } from 'n8n-workflow';

/** A file of a conversation; the field with its link is called `transcriptUrl` or `audioUrl`. */
export type Media = 'transcript' | 'audio';

/** The link in a conversation that the service just sent; `url` is empty when it has none. */
export function linkOf({ title, ...row }: IDataObject, what: Media) {
	const url = row[`${what}Url`];
	return {
		url: typeof url === 'string' ? url : '',
		/** Of the conversation. */
		title: typeof title === 'string' && title.trim() !== '' ? title : undefined,
	};
}

export type PresignedLink = ReturnType<typeof linkOf>;
