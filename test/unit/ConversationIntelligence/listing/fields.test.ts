import { chosenFields, fieldsToKeep } from '../../../../nodes/ConversationIntelligence/listing/fields';
import { conversationsExportSchema } from '../../../../nodes/shared/contract';

const documented = Object.keys(conversationsExportSchema.shape);

test.each(['transcriptUrl', 'audioUrl'])('keeps the expiry time of a chosen %s', (link) => {
	expect(fieldsToKeep(['title', link], documented)).toEqual(['title', link, 'urlsExpireAt']);
	expect(fieldsToKeep([link, 'urlsExpireAt'], documented)).toEqual([link, 'urlsExpireAt']);
});

test('keeps only the chosen fields, documented ones first and in their order', () => {
	expect(fieldsToKeep(['novelty', 'title', 'conversationId'], documented)).toEqual([
		'conversationId',
		'title',
		'novelty',
	]);
	expect(fieldsToKeep(undefined, documented)).toBeUndefined();
});

test('always keeps the fields that distinguish rows', () => {
	expect(fieldsToKeep(['title'], documented, ['recordingId', 'kind'])).toEqual([
		'recordingId',
		'title',
		'kind',
	]);
});

test.each([undefined, null, [], 'title', [7], { title: true }])(
	'refuses %p as the selected fields',
	(fields) => {
		expect(() => chosenFields('selectedFields', fields, [])).toThrow(/^Fields is /);
	},
);

test.each([true, 'simple', null])('refuses %p as the output', (output) => {
	expect(() => chosenFields(output, [], [])).toThrow(`Output is ${JSON.stringify(output)}`);
});
