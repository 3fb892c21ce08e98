/** Extensions of what a media host may send; anything else keeps the default. */
const EXTENSIONS: Record<string, string> = {
	'application/json': 'json',
	'audio/aac': 'aac',
	'audio/m4a': 'm4a',
	'audio/mp4': 'm4a',
	'audio/mpeg': 'mp3',
	'audio/ogg': 'ogg',
	'audio/wav': 'wav',
	'audio/wave': 'wav',
	'audio/webm': 'webm',
	'audio/x-m4a': 'm4a',
	'audio/x-wav': 'wav',
	'video/mp4': 'mp4',
};

/** What stores say of files whose type they were not told; the second is the default of much object storage. */
const UNKNOWN = ['', 'application/octet-stream', 'binary/octet-stream'];

/** The bare type of a Content-Type header, in lower case; undefined where it says nothing. */
export function bareType(contentType: string | undefined): string | undefined {
	const type = contentType?.split(';')[0].trim().toLowerCase();
	return type === undefined || UNKNOWN.includes(type) ? undefined : type;
}

/**
 * A file name that every system takes: the title, shortened, and the conversation's ID, by which it stays unique.
 *
 * @param extension without a dot; the content type's own wins
 */
export function mediaFileName(
	title: string | undefined,
	conversationId: string,
	contentType: string | undefined,
	extension: string,
): string {
	const words = (title ?? '')
		.normalize('NFC')
		.replace(/[^\p{L}\p{N}]+/gu, '-')
		.replace(/^-+|-+$/g, '');
	const short = [...words].slice(0, 60).join('').replace(/-+$/, '');
	const name = short === '' ? conversationId : `${short}_${conversationId}`;
	return `${name}.${EXTENSIONS[bareType(contentType) ?? ''] ?? extension}`;
}
