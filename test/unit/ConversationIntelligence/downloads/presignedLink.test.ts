import type { IDataObject } from 'n8n-workflow';
import { linkOf, linkOfInput } from '../../../../nodes/ConversationIntelligence/downloads/presignedLink';
import type { Item } from '../../../../nodes/shared/node/item';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const ID = '3f2b8c1e-5d7a-4c66-9b1f-0a2d4e6f8a10';
const URL = 'https://media.example/a?signature=s';
const INPUT = {
	conversationId: ID,
	audioUrl: URL,
	title: 'Roof',
	urlsExpireAt: '2026-03-01T12:00:00.001Z',
};

beforeEach(() => jest.useFakeTimers({ now: NOW }));
afterEach(() => jest.useRealTimers());

const linkIn = (json: IDataObject) => linkOfInput({ json } as unknown as Item, ID, 'audio');

test("the input's own link is used until it expires", () => {
	expect(linkIn(INPUT)).toEqual({ url: URL, title: 'Roof', isFromInput: true });
});

test.each<[string, IDataObject]>([
	['expires now', { urlsExpireAt: '2026-03-01T12:00:00.000Z' }],
	['has no known end', { urlsExpireAt: undefined }],
	['has no readable end', { urlsExpireAt: 'tomorrow' }],
	['is of another conversation', { conversationId: 'another' }],
	['is empty', { audioUrl: '' }],
	['is of another file', { audioUrl: undefined, transcriptUrl: URL }],
])("the input's link is not used when it %s", (_what, change) => {
	expect(linkIn({ ...INPUT, ...change })).toBeUndefined();
});

test.each<[string, IDataObject, string, string | undefined]>([
	['a link', { audioUrl: URL, title: 'Roof' }, URL, 'Roof'],
	['no link', {}, '', undefined],
	['a link that is not text', { audioUrl: 5, title: 5 }, '', undefined],
	['a blank title', { audioUrl: URL, title: ' ' }, URL, undefined],
])('a conversation with %s is read as it is', (_what, conversation, url, title) => {
	expect(linkOf(conversation, 'audio')).toEqual({ url, title, isFromInput: false });
});
