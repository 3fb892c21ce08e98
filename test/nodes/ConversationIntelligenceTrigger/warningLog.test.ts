import { WarningLog } from '../../../nodes/ConversationIntelligenceTrigger/warningLog';

test('keeps a bounded number of triggers, and forgets the one that warned longest ago', () => {
	const log = new WarningLog(() => 0);
	for (let trigger = 0; trigger < 1000; trigger++) log.next(`trigger ${trigger}`, 'reason');
	expect(log.next('trigger 0', 'reason')).toBeUndefined();
	expect(log.next('one more', 'reason')).toEqual({});
	expect(log.next('trigger 1', 'reason')).toBeUndefined();
	expect(log.next('trigger 0', 'reason')).toEqual({});
});
