import {
	sentencesOf,
	WARNING_CODES,
	warningsOf,
	type Warnings,
} from '../../../nodes/ConversationIntelligenceAppointments/itemWarnings';

test('warnings are one hint of each kind for all items, with each name once and the first ten, and name the items', () => {
	for (const code of WARNING_CODES)
		expect(sentencesOf({ [code]: ['abc'] })).toEqual([expect.stringMatching(/^[A-Z].{20,}\.$/)]);
	const input = (index: number, warnings: Warnings) => ({ index, key: `e-${index}`, warnings });
	const first = { customer_incomplete: ['{items}'], columns_unknown: ['stage', '{items}'] };
	const third = { end_not_after_start: ['Event v-7'], columns_unknown: ['stage', 'tier'] };
	expect(warningsOf([input(0, first), { ...input(7, third), value: 'v-7' }])).toEqual([
		expect.stringContaining(': stage, {items}, tier. Rename'),
		expect.stringContaining('without {items} (e-0 [Item 0]). The'),
		expect.stringContaining('Start Time: Event v-7.'),
	]);
	const names = Array.from({ length: 13 }, (_, index) => `c${index}`);
	const many = names.map((_, index) => input(index, { attendees_missing: ['x'], columns_unknown: names }));
	expect(warningsOf(many)).toEqual([
		expect.stringContaining(`: ${names.slice(0, 10).join(', ')} and 3 more. Rename`),
		expect.stringContaining(', e-9 [Item 9] and 3 more).'),
	]);
});
