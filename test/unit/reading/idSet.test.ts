import * as fc from 'fast-check';
import { IdSet } from '../../../nodes/shared/export/idSet';

describe('The set of IDs', () => {
	const anyId = fc.oneof(
		fc.uuid(),
		fc.string(),
		fc.uuid().map((id) => id.toUpperCase()),
	);

	test('tells new, again and duplicate as a plain map does, for UUIDs and any other text', () => {
		fc.assert(
			fc.property(fc.array(fc.tuple(anyId, fc.integer({ min: 1, max: 3 })), { maxLength: 200 }), (calls) => {
				const set = new IdSet();
				const model = new Map<string, number>();
				// Every ID twice, so that each kind of sighting occurs.
				for (const [id, pass] of [...calls, ...calls]) {
					const seen = model.get(id);
					const expected = seen === undefined ? 'new' : seen === pass ? 'duplicate' : 'again';
					expect(set.add(id, pass)).toBe(expected);
					model.set(id, pass);
				}
				expect(set.size).toBe(model.size);
			}),
		);
	});

	test('keeps 100,000 IDs that differ in a few digits apart, while it grows', () => {
		const set = new IdSet();
		const id = (n: number) => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
		const sightings = { new: 0, again: 0, duplicate: 0 };
		for (let n = 0; n < 100_000; n++) sightings[set.add(id(n), 1)]++;
		for (let n = 0; n < 100_000; n += 10) sightings[set.add(id(n), 1)]++;

		expect(sightings).toEqual({ new: 100_000, again: 0, duplicate: 10_000 });
		expect(set.add(id(5), 2)).toBe('again');
		expect(set.size).toBe(100_000);
	});
});
