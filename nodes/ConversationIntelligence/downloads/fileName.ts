/**
 * A file name that every system accepts: the title, shortened, and the conversation's ID, which keeps it unique.
 *
 * @param extension without a dot
 */
export function mediaFileName(title: string | undefined, conversationId: string, extension: string): string {
	const words = (title ?? '')
		.normalize('NFC')
		.replace(/[^\p{L}\p{N}]+/gu, '-')
		.replace(/^-+|-+$/g, '');
	const short = [...words].slice(0, 60).join('').replace(/-+$/, '');
	const name = short === '' ? conversationId : `${short}_${conversationId}`;
	return `${name}.${extension}`;
}
