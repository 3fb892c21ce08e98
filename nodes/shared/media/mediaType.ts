import { cut } from '../base/text';

const EXTENSIONS = '3g2 3gp aac aiff amr caf flac json m4a mov mp3 mp4 ogg opus wav webm wma'.split(' ');

/** Content types that do not end with the extension, without `x-`. */
const OTHERS = new Map([
	['audio/mpeg', 'mp3'],
	['audio/mpga', 'mp3'],
	['audio/mpeg3', 'mp3'],
	['audio/aacp', 'aac'],
	['audio/amr-wb', 'amr'],
	['audio/mp4', 'm4a'],
	['audio/wave', 'wav'],
	['audio/vnd.wave', 'wav'],
	['audio/3gpp', '3gp'],
	['audio/3gpp2', '3g2'],
	['audio/ms-wma', 'wma'],
	['video/quicktime', 'mov'],
]);

/** How files begin, each byte as a character. */
const STARTS: Array<[start: RegExp, extension: string]> = [
	[/^RIFF[^]{4}WAVE/, 'wav'],
	[/^(ID3|\xff[\xe2\xe3\xf2\xf3\xfa\xfb])/, 'mp3'],
	[/^\xff[\xf0\xf1\xf8\xf9]/, 'aac'],
	[/^#!AMR/, 'amr'],
	[/^[^]{4}ftyp/, 'm4a'],
	[/^OggS/, 'ogg'],
	[/^fLaC/, 'flac'],
	[/^[^]E\xdf\xa3/, 'webm'],
	[/^(\xef\xbb\xbf)?\s*[[{]/, 'json'],
];

/** Bytes that tell what a file is. */
export const START_LENGTH = 12;

/**
 * What a downloaded file is: its content type decides, else the link's path, else its first bytes; `bin` if unknown.
 * @returns no `mimeType` for a content type that says nothing, so that n8n takes that of the extension
 */
export function mediaType(contentType: unknown, url: string, start: Uint8Array) {
	const [sent] = String(contentType ?? '').split(';');
	const mimeType = sent.trim().toLowerCase();
	// The link's query may contain another file name.
	const path = url.split(/[?#]/)[0].toLowerCase();
	const type = mimeType.replace('/x-', '/');
	const sentAs = OTHERS.get(type) ?? EXTENSIONS.find((known) => type.endsWith(`/${known}`));
	const begin = Buffer.from(start.subarray(0, START_LENGTH)).toString('latin1');
	const extension =
		sentAs ??
		EXTENSIONS.find((known) => path.endsWith(`.${known}`)) ??
		STARTS.find(([pattern]) => pattern.test(begin))?.[1] ??
		'bin';
	return { extension, mimeType: sentAs || /^(audio|video)\//.test(type) ? mimeType : undefined };
}

/** A name that every system accepts: the shortened title, and the conversation's ID to keep it unique. At most 222 bytes. */
export function mediaFileName(title: unknown, conversationId: string, extension: string): string {
	// Many scripts write vowels as marks.
	const words = typeof title === 'string' ? title.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}]+/gu, '-') : '';
	const short = cut(words, 60).replace(/^-|-$/g, '');
	return `${short === '' ? '' : `${short}_`}${conversationId}.${extension}`;
}
