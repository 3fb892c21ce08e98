import { type Sandbox, startSandbox } from '../../../sandbox';
import { tables } from '../../../scripts/apiReference';
import { always, exportPost } from './service';

type Row = Record<string, unknown>;
let sandbox: Sandbox;
let conversations: Row[];
let awaiting: Row[];
let errored: Row[];
let users: Row[];

beforeAll(async () => {
	sandbox = await startSandbox({ conversations: 600, awaitingUpload: 200, errored: 200 });
	const pages = await Promise.all(
		Array.from({ length: 12 }, (_, index) =>
			exportPost(sandbox, 'conversations', { ...always, page: index + 1 }),
		),
	);
	conversations = pages.flatMap((page) => page.json.conversations);
	awaiting = pages.flatMap((page) => page.json.awaitingUpload);
	errored = pages.flatMap((page) => page.json.errored);
	users = (await exportPost(sandbox, 'users', always)).json.users;
});
afterAll(() => sandbox.close());

const nested = (rows: Row[], field: string) => rows.map((row) => row[field]).flat() as Row[];
const present = (rows: Row[]) => rows.filter((row) => row !== null);
/** Rows by their table in docs/api. */
const groups: Record<string, () => Row[]> = {
	ConversationsExport: () => conversations,
	Tracker: () => nested(nested(conversations, 'checklists'), 'trackerData'),
	ConversationCustomer: () => present(nested(conversations, 'customer')),
	CustomerAddress: () => nested(present(nested(conversations, 'customer')), 'address'),
	RecordingsExport: () => awaiting,
	ErroredRecordingsExport: () => errored,
	UsersExport: () => users,
};

describe('Generated rows', () => {
	it.each(Object.keys(groups))('of %s have a null and a value in every field that can be null', (table) => {
		const rows = groups[table]();
		const nullable = tables[table].filter(({ type }) => type.endsWith(' | null')).map(({ name }) => name);
		const nulls = nullable.filter((key) => rows.some((row) => row[key] === null));
		const filled = nullable.filter((key) => rows.some((row) => row[key] !== null));
		expect({ nulls, filled }).toEqual({ nulls: nullable, filled: nullable });
	});

	it('are the same for the same seed and different for another', async () => {
		const first = async (seed: number) => {
			const twin = await startSandbox({ seed, conversations: 600 });
			const page = await exportPost(twin, 'conversations', { ...always, limit: 1 });
			await twin.close();
			const links = { transcriptUrl: '', audioUrl: '', serviceUrl: '' };
			return { ...page.json.conversations[0], ...links };
		};
		const [one, again, other] = await Promise.all([first(1), first(1), first(2)]);
		expect(again).toEqual(one);
		expect(other.conversationId).not.toBe(one.conversationId);
	});
});
