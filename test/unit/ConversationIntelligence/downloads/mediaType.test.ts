import { mediaType } from '../../../../nodes/ConversationIntelligence/downloads/mediaType';

const LINK = 'https://media.example/9f3e8a10?file=x.exe&signature=abc.mp3';
const NOTHING = Buffer.alloc(0);
const ftyp = (brand: string) => Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0`, 'latin1');
const ogg = (codec: string) => Buffer.concat([Buffer.from('OggS'), Buffer.alloc(24), Buffer.from(codec)]);

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
])(
	'decides on the extension .%s by the content types %j, whatever link and bytes say',
	(extension, types) => {
		for (const type of types) {
			expect(mediaType(type, 'https://media.example/a.exe.wav', ftyp('M4A '))).toEqual({
				extension,
				mimeType: type.split(';')[0].trim().toLowerCase(),
			});
		}
		expect(mediaType(undefined, `https://media.example/a.${extension}`, NOTHING)).toEqual({
			extension,
			mimeType: types[0],
		});
	},
);

test.each([
	undefined,
	'',
	' ',
	'application/octet-stream',
	'binary/octet-stream',
	'Binary/Octet-Stream; x=y',
])('the content type %p is unknown, so the path of the link decides, never its query', (contentType) => {
	const byPath = mediaType(contentType, 'https://media.example/a/b.FLAC?x=.mp3', ftyp('M4A '));
	expect(byPath).toEqual({ extension: 'flac', mimeType: 'audio/flac' });
	expect(mediaType(contentType, LINK, ftyp('M4A '))).toEqual({ extension: 'm4a', mimeType: 'audio/mp4' });
});

test.each([
	'https://media.example/a.mp3x',
	'https://media.example/amp3',
	'https://media.example/constructor',
])('the link %s has no known extension', (link) => {
	expect(mediaType('', link, NOTHING)).toEqual({ extension: 'bin', mimeType: 'application/octet-stream' });
});

test('a content type without a known extension is kept, and the link provides the extension', () => {
	expect(mediaType('audio/x-novel', 'https://media.example/a.opus', NOTHING)).toEqual({
		extension: 'opus',
		mimeType: 'audio/x-novel',
	});
});

test.each<[string, Buffer]>([
	['wav', Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1')],
	['flac', Buffer.from('fLaC\0\0\0\x22', 'latin1')],
	['opus', ogg('OpusHead')],
	['ogg', ogg('\x01vorbis')],
	['amr', Buffer.from('#!AMR\n')],
	['webm', Buffer.from('\x1aE\xdf\xa3\x01', 'latin1')],
	['3gp', ftyp('3gp4')],
	['m4a', ftyp('isom')],
	['mov', ftyp('qt  ')],
	['aac', Buffer.from('\xff\xf1\x50\x80', 'latin1')],
	['mp3', Buffer.from('\xff\xfb\x90\x64', 'latin1')],
	['mp3', Buffer.from('ID3\x04\0', 'latin1')],
	['caf', Buffer.from('caff\0\x01')],
	['aiff', Buffer.from('FORM\0\0\0\0AIFF')],
	['wma', Buffer.from('3026b2758e66cf11a6d9', 'hex')],
	['3g2', ftyp('3g2a')],
	['json', Buffer.from('\ufeff \n[{"word":"Hi"}]')],
	['json', Buffer.from('[]')],
	['json', Buffer.from('{}')],
])('the first bytes decide when nothing else does: .%s', (extension, head) => {
	expect(mediaType(undefined, LINK, head).extension).toBe(extension);
	expect(mediaType(undefined, LINK, Buffer.concat([Buffer.from('x'), head])).extension).toBe('bin');
});

test.each([Buffer.from('no known format'), NOTHING])(
	'without a known type, %p is a file of any bytes',
	(head) => {
		expect(mediaType(undefined, LINK, head)).toEqual({
			extension: 'bin',
			mimeType: 'application/octet-stream',
		});
	},
);
