import { conversationItem } from '../../../../nodes/shared/triggers/output';

test('what an item adds is never replaced by a field of the same name that the service adds', () => {
	const added = { dedupeKey: 'x', source: 'x', isTest: 'x', deliveryAttempt: 'x' };
	expect(conversationItem({ conversationId: 'c1', ...added, more: 1 }, 'raw', { source: 'poll' })).toEqual({
		conversationId: 'c1',
		more: 1,
		dedupeKey: 'c1',
		source: 'poll',
		isTest: false,
		deliveryAttempt: 1,
	});
});
