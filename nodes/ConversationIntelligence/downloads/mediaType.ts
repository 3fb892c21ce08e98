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

/**
 * Finds out what a downloaded file is: by its content type, else by the link's path.
 *
 * @param contentType the header's value
 * @returns `bin` and `application/octet-stream` for a file of unknown type
 */
export function mediaType(contentType: unknown, url: string): MediaType {
	const sent = String(contentType ?? '')
		.split(';')[0]
		.trim()
		.toLowerCase();
	const known = UNKNOWN.includes(sent) ? undefined : sent;
	const extension = extensionOf(sent) ?? extensionOfPath(url) ?? 'bin';
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
