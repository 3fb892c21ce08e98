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

	// 4,000 IDs share the slots of a small table, so that each is compared with others that differ from it in one place.
	test.each([
		['1 to 8', (digits: string) => `${digits}-0000-4000-8000-000000000000`],
		['9 to 16', (digits: string) => `00000000-${digits.slice(0, 4)}-${digits.slice(4)}-8000-000000000000`],
		['17 to 24', (digits: string) => `00000000-0000-4000-${digits.slice(0, 4)}-${digits.slice(4)}00000000`],
		['25 to 32', (digits: string) => `00000000-0000-4000-8000-0000${digits}`],
	])('does not take an ID for another that differs only in digits %s', (_digits, idWith) => {
		const ids = Array.from({ length: 4000 }, (_, n) => idWith((n * 0x10001).toString(16).padStart(8, '0')));
		const set = new IdSet();

		expect(ids.filter((id) => !set.add(id))).toEqual([]);
		expect(ids.filter((id) => set.add(id))).toEqual([]);
	});

	const UUID = ['00000000', '0000', '4000', '8000', '000000000000'];

	test('does not take a longer ID for the UUID in it', () => {
		const set = new IdSet();
		const uuid = UUID.join('-');
		const ids = ['', '0', '1'].map((end) => `${uuid}${end}`).concat(`x${uuid}`, `y${uuid}`);

		expect(ids.filter((id) => !set.add(id))).toEqual([]);
		expect(ids.filter((id) => set.add(id))).toEqual([]);
	});

	test.each([0, 1, 2, 3, 4])('keeps IDs apart that have letters beyond f in part %i', (part) => {
		const set = new IdSet();
		const ids = ['y', 'z'].map((letter) => UUID.with(part, UUID[part].replace(/./g, letter)).join('-'));

		expect(ids.filter((id) => !set.add(id))).toEqual([]);
		expect(ids.filter((id) => set.add(id))).toEqual([]);
	});

	test('does not take an ID of zeros for known after it has grown', () => {
		const set = new IdSet();
		for (let n = 1; n <= 1000; n++) set.add(`${n.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`);

		expect(set.add('00000000-0000-0000-0000-000000000000')).toBe(true);
		expect(set.add('00000000-0000-0000-0000-000000000000')).toBe(false);
	});
});
