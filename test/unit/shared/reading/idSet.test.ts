import * as fc from 'fast-check';
import { IdSet } from '../../../../nodes/shared/reading/idSet';

const anyId = fc.oneof(
	fc.uuid(),
	fc.string(),
	fc.uuid().map((id) => id.toUpperCase()),
);

describe('IdSet', () => {
	test('reports new IDs like a plain set, for UUIDs and any other text', () => {
		fc.assert(
			fc.property(fc.array(anyId, { maxLength: 200 }), (ids) => {
				const set = new IdSet();
				const model = new Set<string>();
				for (const id of [...ids, ...ids]) {
					expect(set.add(id)).toBe(!model.has(id));
					model.add(id);
				}
			}),
		);
	});

	test('keeps 100,000 IDs that differ in a few digits apart while it grows', () => {
		const set = new IdSet();
		const id = (n: number) => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
		let added = 0;
		for (let n = 0; n < 100_000; n++) if (set.add(id(n))) added++;
		for (let n = 0; n < 100_000; n += 10) if (set.add(id(n))) added++;

		expect(added).toBe(100_000);
	});
});
