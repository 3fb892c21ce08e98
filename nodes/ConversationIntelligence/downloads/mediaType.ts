/** What a file is: its extension, without a dot, and its content type. */
export interface MediaType {
	extension: string;
	mimeType: string;
}

/** Extension → its content types, the usual one first. */
const TYPES: Record<string, string[]> = {
	'3gp': ['audio/3gpp', 'audio/3gp', 'video/3gpp'],
	'3g2': ['audio/3gpp2', 'video/3gpp2'],
	aac: ['audio/aac', 'audio/aacp', 'audio/x-aac'],
	aiff: ['audio/aiff', 'audio/x-aiff'],
	amr: ['audio/amr', 'audio/amr-wb'],
	caf: ['audio/x-caf'],
	flac: ['audio/flac', 'audio/x-flac'],
	json: ['application/json', 'text/json'],
	m4a: ['audio/mp4', 'audio/m4a', 'audio/x-m4a'],
	mov: ['video/quicktime'],
	mp3: ['audio/mpeg', 'audio/mp3', 'audio/mpeg3', 'audio/x-mpeg'],
	mp4: ['video/mp4'],
	ogg: ['audio/ogg', 'application/ogg', 'audio/vorbis'],
	opus: ['audio/opus'],
	wav: ['audio/wav', 'audio/wave', 'audio/x-wav', 'audio/vnd.wave'],
	webm: ['audio/webm', 'video/webm'],
	wma: ['audio/x-ms-wma'],
};

/** Object stores send these for files whose type they do not know. */
const UNKNOWN = ['', 'application/octet-stream', 'binary/octet-stream'];

/** How many first bytes are enough to tell the type. */
export const HEAD_BYTES = 64;

/** First bytes as Latin-1 text → extension; the first match counts. */
const HEADS: Array<[RegExp, string]> = [
	[/^RIFF[^]{4}WAVE/, 'wav'],
	[/^fLaC/, 'flac'],
	[/^OggS[^]{24,}OpusHead/, 'opus'],
	[/^OggS/, 'ogg'],
	[/^#!AMR/, 'amr'],
	[/^[^]E\xdf\xa3/, 'webm'],
	[/^caff/, 'caf'],
	[/^FORM[^]{4}AIF/, 'aiff'],
	[/^[^]{4}ftyp3g2/, '3g2'],
	[/^[^]{4}ftyp3g/, '3gp'],
	[/^[^]{4}ftypqt/, 'mov'],
	[/^[^]{4}ftyp/, 'm4a'],
	[/^0&\xb2u\x8ef\xcf/, 'wma'],
	[/^\xff[\xf0\xf1\xf8\xf9]/, 'aac'],
	[/^(ID3|\xff[\xe2-\xff])/, 'mp3'],
	[/^(\xef\xbb\xbf)?\s*[[{]/, 'json'],
];

/**
 * Finds out what a downloaded file is: by its content type, else by the link's path, else by its first bytes.
 *
 * @param head at least the first 64 bytes of the file, or all of it
 * @returns `bin` and `application/octet-stream` for a file of unknown type
 */
export function mediaType(contentType: string | undefined, url: string, head: Uint8Array): MediaType {
	const sent = (contentType ?? '').split(';')[0].trim().toLowerCase();
	const known = UNKNOWN.includes(sent) ? undefined : sent;
	const extension = extensionOf(sent) ?? extensionOfPath(url) ?? extensionOfHead(head) ?? 'bin';
	return { extension, mimeType: known ?? TYPES[extension]?.[0] ?? UNKNOWN[1] };
}

function extensionOf(type: string): string | undefined {
	return Object.keys(TYPES).find((extension) => TYPES[extension].includes(type));
}

/** Only the path counts, because the link's query may contain another file name. */
function extensionOfPath(url: string): string | undefined {
	const path = url.split(/[?#]/)[0].toLowerCase();
	return Object.keys(TYPES).find((extension) => path.endsWith(`.${extension}`));
}

function extensionOfHead(head: Uint8Array): string | undefined {
	const text = Buffer.from(head.subarray(0, HEAD_BYTES)).toString('latin1');
	return HEADS.find(([start]) => start.test(text))?.[1];
}
