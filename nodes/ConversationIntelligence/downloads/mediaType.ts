/** What a file is: its extension, without a dot, and its content type. */
export interface MediaType {
	extension: string;
	mimeType: string;
}

/** Content type → extension; of several types, the usual one first. */
const EXTENSIONS = new Map([
	['audio/mpeg', 'mp3'],
	['audio/mp3', 'mp3'],
	['audio/mp4', 'm4a'],
	['audio/x-m4a', 'm4a'],
	['audio/wav', 'wav'],
	['audio/x-wav', 'wav'],
	['audio/vnd.wave', 'wav'],
	['audio/aac', 'aac'],
	['audio/3gpp', '3gp'],
	['audio/3gpp2', '3g2'],
	['audio/aiff', 'aiff'],
	['audio/amr', 'amr'],
	['audio/flac', 'flac'],
	['audio/ogg', 'ogg'],
	['audio/opus', 'opus'],
	['audio/webm', 'webm'],
	['audio/x-caf', 'caf'],
	['audio/x-ms-wma', 'wma'],
	['video/mp4', 'mp4'],
	['video/quicktime', 'mov'],
	['application/json', 'json'],
]);

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
	const extension = EXTENSIONS.get(sent) ?? extensionOfPath(url) ?? 'bin';
	return { extension, mimeType: UNKNOWN.includes(sent) ? typeOf(extension) : sent };
}

/** Only the path counts, because the link's query may contain another file name. */
function extensionOfPath(url: string): string | undefined {
	const path = url.split(/[?#]/)[0].toLowerCase();
	return [...EXTENSIONS.values()].find((extension) => path.endsWith(`.${extension}`));
}

function typeOf(extension: string): string {
	const [type] = [...EXTENSIONS].find(([, one]) => one === extension) ?? [];
	return type ?? UNKNOWN[1];
}
