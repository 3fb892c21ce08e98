import type { IDataObject } from 'n8n-workflow';
import { linkOf } from '../../../../nodes/ConversationIntelligence/downloads/presignedLink';

const URL = 'https://media.example/a?signature=s';

test.each<[string, IDataObject, string, string | undefined]>([
	['a link', { audioUrl: URL, title: 'Roof' }, URL, 'Roof'],
	['no link', {}, '', undefined],
	['a link that is not text', { audioUrl: 5, title: 5 }, '', undefined],
	['a blank title', { audioUrl: URL, title: ' ' }, URL, undefined],
])('a conversation with %s is read as it is', (_what, conversation, url, title) => {
	expect(linkOf(conversation, 'audio')).toEqual({ url, title });
});
