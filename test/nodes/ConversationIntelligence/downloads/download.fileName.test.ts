import { mediaFileName } from '../../../../nodes/ConversationIntelligence/downloads/download';

const LONG = 'x'.repeat(59);

test.each([
	['Roof, visit 2!', 'Roof-visit-2_id'],
	['"Roof"', 'Roof_id'],
	['Cafe\u0301 & Bar', 'Caf\u00e9-Bar_id'],
	[`${LONG}\u{10400}z`, `${LONG}\u{10400}_id`],
	[`a ${LONG.slice(2)} b`, `a-${LONG.slice(2)}_id`],
	['हिन्दी बैठक', 'हिन्दी-बैठक_id'],
	['?!', 'id'],
	[undefined, 'id'],
])('names a media file with the title %p after at most 60 letters of it: %s', (title, name) => {
	expect(mediaFileName(title, 'id', 'mp3')).toBe(`${name}.mp3`);
});
