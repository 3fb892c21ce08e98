import * as fc from 'fast-check';
import { tables } from '../../../scripts/apiReference';
import { Organization } from '../../../sandbox/data/organization';
import { staffs } from '../../../sandbox/data/people';
import { defaultOptions } from '../../../sandbox/options';
import { list, listAll, users } from '../support/http';
import { useService } from '../support/service';

const size = { conversations: 600, awaitingUpload: 200, errored: 200 };
const [service, again] = [useService(size), useService(size)];
type Row = Record<string, unknown>;

test('every field that can be null has a null and a value', async () => {
	const pages = await listAll(service);
	const conversations = pages.flatMap((page) => page.conversations);
	const customers = conversations.flatMap((row) => row.customer ?? []);
	const groups: Record<string, Row[]> = {
		ConversationsExport: conversations,
		Tracker: conversations.flatMap((row) => row.checklists.flatMap((each) => each.trackerData)),
		ConversationCustomer: customers,
		CustomerAddress: customers.map(({ address }) => address),
		RecordingsExport: pages.flatMap((page) => page.awaitingUpload),
		ErroredRecordingsExport: pages.flatMap((page) => page.errored),
		UsersExport: await users(service),
	};
	for (const [table, rows] of Object.entries(groups)) {
		const nullable = tables[table].filter(({ type }) => type.endsWith(' | null')).map(({ name }) => name);
		const nulls = nullable.filter((name) => rows.some((row) => row[name] === null));
		const values = nullable.filter((name) => rows.some((row) => row[name] !== null));
		expect([table, nulls, values]).toEqual([table, nullable, nullable]);
	}
});

test('the same options give the same rows', async () => {
	const row = async (of: typeof service) => (await list(of)).conversations[0];
	const own = { transcriptUrl: '', audioUrl: '', serviceUrl: '' };
	expect({ ...(await row(again)), ...own }).toEqual({ ...(await row(service)), ...own });
});

test('a list has the same rows as a plain filter and sort, even after changes', () => {
	const share = fc.double({ min: 0, max: 1, noNaN: true });
	const small = {
		...defaultOptions,
		conversations: 90,
		awaitingUpload: 10,
		errored: 40,
		users: 12,
		teams: 3,
	};
	const [start, end] = [Date.parse(small.from), Date.parse(small.to)];
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
	const check = fc.property(cases, ({ seed, order, by, array, removed, inserted, bounds, who, limit }) => {
		const organization = new Organization(seed, { ...small, order }, staffs.own);
		const all = organization.view(array, { by: 'date', from: -8e15, to: 8e15, users: organization.users });
		const at = (place: number) => Math.round(start + place * (end - start));
		const rows = all.page(1, all.total);
		if (array === 'conversations') {
			for (const row of removed.map((position) => rows[position])) {
				organization.removeConversation(organization.conversationIdOf(row));
				rows.splice(rows.indexOf(row), 1);
			}
			for (const place of inserted) rows.push(organization.insertConversation(at(place), at(place) + 5));
		}
		const some = who.map((index) => organization.users[index]);
		const [from, to] = bounds.map(at).sort((a, b) => a - b);
		const key = (row: (typeof rows)[number]) => row[by] ?? Number.NaN;
		const expected = rows
			.filter((row) => some.includes(row.user) && key(row) >= from && key(row) <= to)
			.sort((a, b) => key(a) - key(b) || a.index - b.index);
		if (order === 'newestFirst') expected.reverse();
		const view = organization.view(array, { by, from, to, users: some });
		const pages = Math.ceil(view.total / limit) + 1;
		const walked = Array.from({ length: pages }, (_, page) => view.page(page + 1, limit)).flat();
		expect(walked.map((row) => row.index)).toEqual(expected.map((row) => row.index));
	});
	fc.assert(check);
});
