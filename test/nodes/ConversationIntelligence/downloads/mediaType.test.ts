import { mediaType } from '../../../../nodes/ConversationIntelligence/downloads/mediaType';

const LINK = 'https://media.example/9f3e8a10?file=x.exe&signature=abc.mp3';

test.each([
	['3gp', ['audio/3gpp', 'audio/3gp', 'video/3gpp']],
	['3g2', ['audio/3gpp2', 'video/3gpp2']],
	['aac', ['audio/aac', 'audio/aacp', 'audio/x-aac']],
	['aiff', ['audio/aiff', 'audio/x-aiff']],
	['amr', ['audio/amr', 'audio/amr-wb', 'audio/AMR']],
	['caf', ['audio/x-caf']],
	['flac', ['audio/flac', 'audio/x-flac']],
	['json', ['application/json', 'text/json']],
	['m4a', ['audio/mp4', 'audio/m4a', 'audio/x-m4a']],
	['mov', ['video/quicktime']],
	['mp3', ['audio/mpeg', 'audio/mp3', 'audio/mpeg3', 'audio/x-mpeg', 'Audio/MPEG; rate=8000']],
	['mp4', ['video/mp4']],
	['ogg', ['audio/ogg', 'application/ogg', 'audio/vorbis']],
	['opus', ['audio/opus']],
	['wav', ['audio/wav', 'audio/wave', 'audio/x-wav', 'audio/vnd.wave']],
	['webm', ['audio/webm', 'video/webm', 'audio/webm ;codecs=opus']],
	['wma', ['audio/x-ms-wma']],
])('decides on the extension .%s by the content types %j, whatever the link says', (extension, types) => {
	for (const type of types) {
		expect(mediaType(type, 'https://media.example/a.exe.wav')).toEqual({
			extension,
			mimeType: type.split(';')[0].trim().toLowerCase(),
		});
	}
	expect(mediaType(undefined, `https://media.example/a.${extension}`)).toEqual({
		extension,
		mimeType: types[0],
	});
});

test.each([
	undefined,
	'',
	' ',
	'application/octet-stream',
	'binary/octet-stream',
	'Binary/Octet-Stream; x=y',
])('the content type %p is unknown, so the path of the link decides, never its query', (contentType) => {
	const byPath = mediaType(contentType, 'https://media.example/a/b.FLAC?x=.mp3');
	expect(byPath).toEqual({ extension: 'flac', mimeType: 'audio/flac' });
	expect(mediaType(contentType, LINK)).toEqual({ extension: 'bin', mimeType: 'application/octet-stream' });
});

test.each([
	'https://media.example/a.mp3x',
	'https://media.example/amp3',
	'https://media.example/constructor',
])('the link %s has no known extension', (link) => {
	expect(mediaType('', link)).toEqual({ extension: 'bin', mimeType: 'application/octet-stream' });
});

test('a content type without a known extension is kept, and the link provides the extension', () => {
	expect(mediaType('audio/x-novel', 'https://media.example/a.opus')).toEqual({
		extension: 'opus',
		mimeType: 'audio/x-novel',
	});
});
