import * as fc from 'fast-check';
import { Organization } from '../../../sandbox/data/organization';
import { staffs } from '../../../sandbox/data/people';
import { idOf, indexOfId } from '../../../sandbox/data/random';
import { Timeline } from '../../../sandbox/data/timeline';
import { completeOptions, defaultOptions } from '../../../sandbox/options';
import { Store } from '../../../sandbox/store';

const uint32 = fc.integer({ min: 0, max: 0xffff_ffff });
const day = 86_400_000;

describe('IDs', () => {
	it('contain the index of their row, but only for the same seed and kind', () => {
		fc.assert(
			fc.property(uint32, uint32, (seed, index) => {
				const id = idOf(seed, 'conversations', index);
				expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
				expect(indexOfId(seed, 'conversations', id)).toBe(index);
				expect(indexOfId(seed + 1, 'conversations', id)).toBeUndefined();
				expect(indexOfId(seed, 'recording', id)).toBeUndefined();
			}),
		);
	});
});

describe('A timeline', () => {
	it.each([
		['years', '2023-01-01T00:00:00Z', '2026-01-01T00:00:00Z', 5000],
		['days that start and end at noon', '2024-03-01T12:00:00Z', '2024-03-09T12:00:00Z', 500],
	])('strictly increases and stays within a span of %s', (_name, from, to, count) => {
		const timeline = new Timeline(7, count, Date.parse(from), Date.parse(to));
		for (const at of ['dateAt', 'processedDateAt'] as const) {
			for (let index = 1; index < count; index++) {
				expect(timeline[at](index)).toBeGreaterThan(timeline[at](index - 1));
			}
			expect(timeline[at](0)).toBeGreaterThanOrEqual(Date.parse(from));
			expect(timeline[at](count - 1)).toBeLessThanOrEqual(Date.parse(to));
		}
	});

	it('ends yesterday when the data ends now', () => {
		const { from, to, conversations } = completeOptions({ to: 'now' });
		const newest = new Timeline(1, conversations, Date.parse(from), Date.parse(to));
		const age = Date.now() - newest.dateAt(conversations - 1);
		expect(age).toBeGreaterThan(0);
		expect(age).toBeLessThan(2 * day);
	});

	it('refuses a span that is too short for its rows', () => {
		expect(() => new Timeline(1, 5000, 0, day - 1)).toThrow('too short for 5000 rows');
	});
});

describe('A view', () => {
	const size = { ...defaultOptions, conversations: 90, awaitingUpload: 10, errored: 40, users: 12, teams: 3 };
	const everything = { from: -8e15, to: 8e15 };

	it('selects the same rows as a plain filter and sort, even after changes', () => {
		const share = fc.double({ min: 0, max: 1, noNaN: true });
		const cases = fc.record({
			seed: fc.integer({ min: 0, max: 50 }),
			order: fc.constantFrom('oldestFirst' as const, 'newestFirst' as const),
			by: fc.constantFrom('date' as const, 'processedDate' as const),
			array: fc.constantFrom('conversations' as const, 'errored' as const),
			removed: fc.uniqueArray(fc.integer({ min: 0, max: 89 }), { maxLength: 20 }),
			inserted: fc.array(share, { maxLength: 12 }),
			bounds: fc.tuple(share, share),
			who: fc.subarray(Array.from({ length: 12 }, (_, index) => index)),
			limit: fc.integer({ min: 1, max: 50 }),
		});
		fc.assert(
			fc.property(cases, ({ seed, order, by, array, removed, inserted, bounds, who, limit }) => {
				const organization = new Organization(seed, { ...size, order }, new Store(undefined), staffs.own);
				const all = organization.view(array, { by: 'date', ...everything, users: organization.users });
				const at = (place: number) =>
					Math.round(Date.parse(size.from) + place * (Date.parse(size.to) - Date.parse(size.from)));
				const rows = all.page(1, all.total);
				if (array === 'conversations') {
					const gone = removed.map((position) => rows[position]);
					for (const row of gone) organization.removeConversation(organization.conversationIdOf(row));
					for (const row of gone) rows.splice(rows.indexOf(row), 1);
					for (const place of inserted) rows.push(organization.insertConversation(at(place), at(place) + 5));
				}
				const users = who.map((index) => organization.users[index]);
				const [from, to] = bounds.map(at).sort((a, b) => a - b);
				const key = (row: (typeof rows)[number]) => row[by] ?? Number.NaN;
				const expected = rows
					.filter((row) => users.includes(row.user) && key(row) >= from && key(row) <= to)
					.sort((a, b) => key(a) - key(b) || a.index - b.index);
				if (order === 'newestFirst') expected.reverse();
				const view = organization.view(array, { by, from, to, users });
				const pages = Math.ceil(view.total / limit);
				const walked = Array.from({ length: pages }, (_, page) => view.page(page + 1, limit)).flat();
				expect(walked.map((row) => row.index)).toEqual(expected.map((row) => row.index));
				expect(view.page(pages + 1, limit)).toEqual([]);
			}),
		);
	});
});
