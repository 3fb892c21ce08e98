/**
 * The name of a download that every system accepts: the shortened title, and the conversation's ID to keep it unique.
 *
 * @param extension without a dot
 */
export function mediaFileName(title: string | undefined, conversationId: string, extension: string): string {
	// Many scripts write vowels as marks.
	const words = (title ?? '').normalize('NFC').replace(/[^\p{L}\p{M}\p{N}]+/gu, '-');
	const short = [...words].slice(0, 60).join('').replace(/^-|-$/g, '');
	const name = short === '' ? conversationId : `${short}_${conversationId}`;
	return `${name}.${extension}`;
}
