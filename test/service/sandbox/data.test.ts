import { tables } from '../../../scripts/apiReference';
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
