const EXTENSIONS = '3g2 3gp aac aiff amr caf flac json m4a mov mp3 mp4 ogg opus wav webm wma'.split(' ');

/** Content types that do not end with the extension. */
const OTHERS = new Map([
	['audio/mpeg', 'mp3'],
	['audio/mp4', 'm4a'],
	['audio/vnd.wave', 'wav'],
	['audio/3gpp', '3gp'],
	['audio/3gpp2', '3g2'],
	['audio/x-ms-wma', 'wma'],
	['video/quicktime', 'mov'],
]);

/** Object stores send these for files whose type they do not know. */
const UNKNOWN = ['', 'application/octet-stream', 'binary/octet-stream'];

/**
 * Finds out what a downloaded file is: by its content type, else by the link's path.
 * @param contentType the header's value
 * @returns the extension, without a dot, `bin` if unknown; the content type, undefined if the extension decides on it
 */
export function mediaType(contentType: unknown, url: string) {
	const [sent] = String(contentType ?? '').split(';');
	const mimeType = sent.trim().toLowerCase();
	// The link's query may contain another file name.
	const path = url.split(/[?#]/)[0].toLowerCase();
	const extension =
		OTHERS.get(mimeType) ??
		EXTENSIONS.find((known) => mimeType.replace('/x-', '/').endsWith(`/${known}`)) ??
		EXTENSIONS.find((known) => path.endsWith(`.${known}`)) ??
		'bin';
	return { extension, mimeType: UNKNOWN.includes(mimeType) ? undefined : mimeType };
}
