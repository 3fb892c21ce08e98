import { advance, type Entry } from '../../../nodes/ConversationIntelligencePollTrigger/position';

const MINUTE = 60_000;
const position = { start: 'activation', from: 100 * MINUTE, seen: {} };
const seen = (entries: Record<string, Entry>) => new Map(Object.entries(entries));

describe('advance', () => {
	test('moves forward and never back, and keeps the setting it started with', () => {
		expect(advance(position, 120 * MINUTE, new Map())).toEqual({ ...position, from: 120 * MINUTE });
		expect(advance(position, 90 * MINUTE, new Map())).toEqual(position);
		expect(advance(position, -Infinity, new Map())).toEqual(position);
	});

	test('keeps conversations that a later poll can list again, including a minute of rounding, and forgets older ones', () => {
		const known = seen({
			listed: [120 * MINUTE, 1],
			rounded: [119 * MINUTE, 1],
			older: [119 * MINUTE - 1, 1],
		});
		expect(Object.keys(advance(position, 120 * MINUTE, known).seen)).toEqual(['listed', 'rounded']);
	});

	test('keeps a conversation of any age until its execution has ended', () => {
		const known = seen({ open: [0, 0], ended: [0, 1] });
		expect(advance(position, 120 * MINUTE, known).seen).toEqual({ open: [0, 0] });
	});
});
