import { bareType, mediaFileName } from '../../../nodes/ConversationExport/resources/media/fileName';

test.each([
	undefined,
	'',
	' ',
	'application/octet-stream',
	'binary/octet-stream',
	'Binary/Octet-Stream; x=y',
])('the content type %p says nothing, so the usual one and its ending are taken', (contentType) => {
	expect(bareType(contentType)).toBeUndefined();
	expect(mediaFileName('Roof', 'id', contentType, 'json')).toBe('Roof_id.json');
});

test('any other content type is taken without its parameters, its ending where it is known', () => {
	expect(bareType('Audio/MPEG; rate=8000')).toBe('audio/mpeg');
	expect(mediaFileName('Roof', 'id', 'Audio/MPEG; rate=8000', 'audio')).toBe('Roof_id.mp3');
	expect(mediaFileName('Roof', 'id', 'image/png', 'audio')).toBe('Roof_id.audio');
});
