import { Settings } from 'luxon';
import { conversationItem, linkExpiry } from '../../../../nodes/shared/exportApi/conversation';

const ISSUED = '2026-03-01T10:00:00.000Z';
const EXPIRES = '2026-03-01T16:00:00.000Z';

// A time without an offset must not be read in n8n's own zone.
beforeAll(() => void (Settings.defaultZone = 'Asia/Tokyo'));
afterAll(() => void (Settings.defaultZone = 'system'));

// D1-LIM-04
test.each<[unknown, string | null]>([
	[ISSUED, EXPIRES],
	[Date.parse(ISSUED), EXPIRES],
	// Without an offset it is UTC, as for the age of a delivery.
	['2026-03-01T10:00:00', EXPIRES],
	['2026-03-01T12:00:00+02:00', EXPIRES],
	['soon', null],
	[undefined, null],
	[Infinity, null],
])('links issued at %j expire six hours later: %j', (issued, expected) => {
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
