import { mediaFileName, mediaType } from '../../../../nodes/shared/media/mediaType';

const LONG = 'x'.repeat(59);

test.each([
	['Roof, visit 2!', 'Roof-visit-2_id'],
	['"Roof"', 'Roof_id'],
	['Cafe\u0301 & Bar', 'Caf\u00e9-Bar_id'],
	[`${LONG}\u{10400}z`, `${LONG}_id`],
	[`a ${LONG.slice(2)} b`, `a-${LONG.slice(2)}_id`],
	['हिन्दी बैठक', 'हिन्दी-बैठक_id'],
	['?!', 'id'],
	[undefined, 'id'],
])('names a media file with the title %p after at most 60 UTF-16 units of it: %s', (title, name) => {
	expect(mediaFileName(title, 'id', 'mp3')).toBe(`${name}.mp3`);
});

test('a name never takes more bytes than file systems accept', () => {
	const id = '3f2b8c1e-5d7a-4c66-9b1f-0a2d4e6f8a10';
	for (const letter of ['\u{10400}', '語', 'a\u0301\u0302']) {
		const bytes = Buffer.byteLength(mediaFileName(letter.repeat(300), id, 'json'));
		expect(bytes).toBeLessThanOrEqual(255);
	}
});

const AAC = '\xff\xf1\x50\x80';

test.each<[type: unknown, path: string, start: string, extension: string, mimeType?: string]>([
	// The content type decides.
	['Audio/MPEG; rate=8000', 'a.exe.flac', 'OggS', 'mp3', 'audio/mpeg'],
	['audio/x-mpeg', 'a', '', 'mp3', 'audio/x-mpeg'],
	['audio/mpga', 'a', '', 'mp3', 'audio/mpga'],
	['audio/aacp', 'a', '', 'aac', 'audio/aacp'],
	['audio/wave', 'a', '', 'wav', 'audio/wave'],
	['audio/mp4', 'a.flac', '', 'm4a', 'audio/mp4'],
	['audio/x-wav', 'a.flac', '', 'wav', 'audio/x-wav'],
	['audio/webm ;codecs=opus', 'a.flac', '', 'webm', 'audio/webm'],
	['video/quicktime', 'a', '', 'mov', 'video/quicktime'],
	['application/json', '', '', 'json', 'application/json'],
	// Else the path of the link.
	['audio/x-novelmp3', 'a.ogg', '', 'ogg', 'audio/x-novelmp3'],
	[undefined, 'a/b.WAV?x=.mp3', 'OggS', 'wav'],
	[' ', 'a/b.WAV?x=.mp3', '', 'wav'],
	['Binary/Octet-Stream; x=y', 'a.wav', '', 'wav'],
	['application/octet-stream', 'a.wav', '', 'wav'],
	['application/force-download', 'a.wav', '', 'wav'],
	['text/plain', 'a.json', '', 'json'],
	// Else the first bytes.
	['application/octet-stream', 'a', 'RIFF\n\x00\x00\xffWAVEfmt ', 'wav'],
	['application/octet-stream', 'a', 'ID3\x04\x00', 'mp3'],
	['', 'a.mp3x', '\xff\xfb\x90\x64', 'mp3'],
	['', 'a', '\n\x00\x00 ftypM4A ', 'm4a'],
	['', '9f3e?file=x.exe&signature=abc.mp3', 'OggS\x00', 'ogg'],
	['', 'a', AAC, 'aac'],
	['', 'a', '#!AMR-WB\n', 'amr'],
	['', 'constructor', 'fLaC\x00', 'flac'],
	['audio/novel', 'a', '\x1aE\xdf\xa3\x01', 'webm', 'audio/novel'],
	['', 'a', '\xef\xbb\xbf\n[{"word":"Hi"}]', 'json'],
	// Unknown.
	['', 'amp3', 'RIFF\n\x00\x00\xffAVI LIST', 'bin'],
	['', 'a', '', 'bin'],
])('of the type %p, the link %s and the first bytes %j, the first known one decides: .%s', (...row) => {
	const [type, path, start, extension, mimeType] = row;
	const file = mediaType(type, `https://media.example/${path}`, Buffer.from(start, 'latin1'));
	expect(file).toEqual({ extension, mimeType });
});
