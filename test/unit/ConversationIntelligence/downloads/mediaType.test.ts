import { mediaType } from '../../../../nodes/ConversationIntelligence/downloads/mediaType';

const LINK = 'https://media.example/9f3e8a10?file=x.exe&signature=abc.mp3';
const NOTHING = Buffer.alloc(0);
const ftyp = (brand: string) => Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0`, 'latin1');
const ogg = (codec: string) => Buffer.concat([Buffer.from('OggS'), Buffer.alloc(24), Buffer.from(codec)]);

test.each([
	['Audio/MPEG; rate=8000', 'mp3', 'audio/mpeg'],
	['audio/flac', 'flac', 'audio/flac'],
	['audio/opus', 'opus', 'audio/opus'],
	['audio/AMR', 'amr', 'audio/amr'],
	['audio/3gpp', '3gp', 'audio/3gpp'],
	['audio/webm;codecs=opus', 'webm', 'audio/webm'],
	['audio/x-m4a', 'm4a', 'audio/x-m4a'],
	['application/json', 'json', 'application/json'],
])('the content type %s has the extension .%s', (contentType, extension, mimeType) => {
	expect(mediaType(contentType, 'https://media.example/a.wav', ftyp('M4A '))).toEqual({
		extension,
		mimeType,
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
	const byPath = mediaType(contentType, 'https://media.example/a/b.FLAC?x=.mp3', ftyp('M4A '));
	expect(byPath).toEqual({ extension: 'flac', mimeType: 'audio/flac' });
	expect(mediaType(contentType, LINK, ftyp('M4A '))).toEqual({ extension: 'm4a', mimeType: 'audio/mp4' });
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
	['json', Buffer.from('\ufeff [{"word":"Hi"}]')],
	['bin', Buffer.from('no known format')],
	['bin', NOTHING],
])('the first bytes decide when nothing else does: .%s', (extension, head) => {
	expect(mediaType(undefined, LINK, head).extension).toBe(extension);
});
