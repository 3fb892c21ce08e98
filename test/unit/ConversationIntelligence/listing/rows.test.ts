import { fieldsToKeep } from '../../../../nodes/ConversationIntelligence/listing/rows';
import type { ListRequest, ListSpec } from '../../../../nodes/ConversationIntelligence/listing/spec';
import { conversationsExportSchema } from '../../../../nodes/shared/contract';

const keep = (fields: string[]) =>
	fieldsToKeep(
		{ options: { fields }, simplify: false } as unknown as ListRequest,
		{ schema: conversationsExportSchema, simplified: [] } as unknown as ListSpec,
	);

test.each(['transcriptUrl', 'audioUrl'])('a chosen %s keeps the time at which it expires', (link) => {
	expect(keep([link, 'title'])).toEqual(expect.arrayContaining(['title', link, 'urlsExpireAt']));
	expect(keep([link, 'urlsExpireAt'])).toHaveLength(2);
});

test('other chosen fields come alone, in the documented order', () => {
	expect(keep(['title', 'conversationId'])).toEqual(['conversationId', 'title']);
	expect(keep([])).toBeUndefined();
});
