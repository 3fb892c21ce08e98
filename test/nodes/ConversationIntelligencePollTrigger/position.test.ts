import {
	advance,
	type Delivery,
	type Position,
} from '../../../nodes/ConversationIntelligencePollTrigger/position';

const MINUTE = 60_000;
const position: Position = { start: 'activation', from: 100 * MINUTE, deliveries: new Map() };
const delivery = (minute: number, state: Delivery['state']): Delivery => ({
	processedAt: minute * MINUTE,
	state,
	attempts: 1,
	deliveredAt: 0,
});

describe('advance', () => {
	test('moves forward and never back, and keeps the setting it started with', () => {
		expect(advance(position, 120 * MINUTE, new Map())).toEqual({ ...position, from: 120 * MINUTE });
		expect(advance(position, 90 * MINUTE, new Map())).toEqual(position);
		expect(advance(position, -Infinity, new Map())).toEqual(position);
	});

	test('keeps conversations that a later poll can list again, including a minute of rounding, and forgets older ones', () => {
		const known = new Map([
			['listed', delivery(120, 'ended')],
			['rounded', delivery(119, 'ended')],
			['older', delivery(119 - 1 / MINUTE, 'ended')],
		]);
		expect([...advance(position, 120 * MINUTE, known).deliveries.keys()]).toEqual(['listed', 'rounded']);
	});
});
