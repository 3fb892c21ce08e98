import {
	conversationItem,
	conversationRequest,
	linkExpiry,
} from '../../../../nodes/shared/exportApi/conversation';
import type { ServiceResponse } from '../../../../nodes/shared/http';

const ISSUED = '2026-03-01T10:00:00.000Z';
const EXPIRES = '2026-03-01T16:00:00.000Z';
const answered = (status: number) => ({ status }) as ServiceResponse;

test.each<[unknown, string | null]>([
	[ISSUED, EXPIRES],
	[Date.parse(ISSUED), EXPIRES],
	['soon', null],
	[undefined, null],
	[Infinity, null],
])('links issued at %j expire six hours later: %j [D1-LIM-04]', (issued, expected) => {
	expect(linkExpiry(issued)).toBe(expected);
});

test("a trigger's item has the conversation, its key, the expiry of its links and the event", () => {
	const conversation = { conversationId: 'c1', title: 'Visit', undocumented: 1 };
	const event = { event: 'conversation_processed' };
	const added = { dedupeKey: 'c1', urlsExpireAt: EXPIRES };
	expect(conversationItem(conversation, Date.parse(ISSUED), event)).toStrictEqual({
		...conversation,
		...added,
		event,
	});
	expect(conversationItem(conversation, Date.parse(ISSUED), null)).toMatchObject({ ...added, event: null });
});

test('what an item adds is never replaced by a field of the same name that the service adds', () => {
	const unknown = { conversationId: 'c1', dedupeKey: 'x', urlsExpireAt: 'x', event: 'x' };
	expect(conversationItem(unknown, Date.parse(ISSUED), null)).toStrictEqual({
		conversationId: 'c1',
		dedupeKey: 'c1',
		urlsExpireAt: EXPIRES,
		event: null,
	});
});

test('a conversation is requested by its encoded ID, and only a 404 is explained [D1-GET-01]', () => {
	const { explain, ...request } = conversationRequest('a/b c', 3, 'Check the ID.');
	expect(request).toStrictEqual({
		credentialType: 'conversationExportApi',
		method: 'GET',
		path: '/export/conversations/a%2Fb%20c',
		itemIndex: 3,
	});
	expect(explain?.(answered(404))).toStrictEqual({
		message: 'The conversation does not exist or is outside the teams of this key',
		description: 'Check the ID.',
	});
	expect(explain?.(answered(403))).toBeUndefined();
	expect(conversationRequest('a').explain?.(answered(404))?.description).toBe('');
});
