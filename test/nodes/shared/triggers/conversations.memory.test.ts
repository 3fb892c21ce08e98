import { MAX_TRIGGERS, memoryOf } from '../../../../nodes/shared/triggers/conversations';

test('remembers a bounded number of triggers, and forgets those not used for longest', () => {
	const memory = memoryOf(() => ({ uses: 0 }));
	const usesOf = (node: number) => {
		const context = { getNode: () => ({ id: String(node) }), getWorkflow: () => ({ id: 'workflow' }) };
		return ++memory(context as unknown as Parameters<typeof memory>[0]).uses;
	};
	for (let node = 0; node < MAX_TRIGGERS; node++) usesOf(node);
	expect(usesOf(0)).toBe(2);
	usesOf(MAX_TRIGGERS);
	expect([0, 2, 1].map(usesOf)).toEqual([3, 2, 1]);
});
