import { mediaType } from '../../../../nodes/ConversationIntelligence/downloads/download';

const UNKNOWN = { extension: 'bin', mimeType: undefined };

test.each([
	['audio/mpeg', 'mp3'],
	['Audio/MPEG; rate=8000', 'mp3'],
	['audio/mp4', 'm4a'],
	['audio/x-wav', 'wav'],
	['audio/webm ;codecs=opus', 'webm'],
	['audio/opus', 'opus'],
	['video/quicktime', 'mov'],
	['application/json', 'json'],
])('the content type %s decides on the extension .%s, whatever the link says', (type, extension) => {
	const mimeType = type.split(';')[0].trim().toLowerCase();
	expect(mediaType(type, 'https://media.example/a.exe.flac')).toEqual({ extension, mimeType });
});

test.each([undefined, '', ' ', 'Binary/Octet-Stream; x=y', 'application/octet-stream'])(
	'for the unknown type %p the path of the link decides, never its query',
	(type) => {
		const byPath = mediaType(type, 'https://media.example/a/b.WAV?x=.mp3');
		expect(byPath).toEqual({ extension: 'wav', mimeType: undefined });
		expect(mediaType(type, 'https://media.example/9f3e?file=x.exe&signature=abc.mp3')).toEqual(UNKNOWN);
		for (const path of ['a.mp3x', 'amp3', 'constructor']) {
			expect(mediaType(type, `https://media.example/${path}`)).toEqual(UNKNOWN);
		}
	},
);

test('a content type without a known extension is kept, and the link gives the extension', () => {
	const mimeType = 'audio/x-novelmp3';
	expect(mediaType(mimeType, 'https://media.example/a.ogg')).toEqual({ extension: 'ogg', mimeType });
});
