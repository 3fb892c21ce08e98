import { type Sandbox, startSandbox } from '../../../sandbox';
import { documentedKeys, nullableKeys } from './documentedKeys';
import { always, exportPost } from './service';

type Row = Record<string, unknown>;
let sandbox: Sandbox;
let conversations: Row[];
let awaiting: Row[];
let errored: Row[];
let users: Row[];
let teams: Row[];

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
	teams = (await exportPost(sandbox, 'teams', always)).json.teams;
});
afterAll(() => sandbox.close());

const nested = (rows: Row[], field: string) => rows.map((row) => row[field]).flat() as Row[];
const present = (rows: Row[]) => rows.filter((row) => row !== null);
const groups: Record<keyof typeof documentedKeys, () => Row[]> = {
	conversation: () => conversations,
	user: () => nested([...conversations, ...awaiting, ...errored], 'user'),
	viewer: () => nested(conversations, 'viewers'),
	checklist: () => nested(conversations, 'checklists'),
	tracker: () => nested(nested(conversations, 'checklists'), 'trackerData'),
	aiTracker: () => nested(conversations, 'aiTrackers'),
	customer: () => present(nested(conversations, 'customer')),
	address: () => nested(present(nested(conversations, 'customer')), 'address'),
	survey: () => nested(conversations, 'surveyResults'),
	recording: () => awaiting,
	errored: () => errored,
	team: () => teams,
	userRow: () => users,
	liveCoaching: () => nested(users, 'liveCoaching'),
};

describe('Generated rows', () => {
	it('have the documented number of fields', () => {
		const counts = Object.fromEntries(
			Object.entries(documentedKeys).map(([name, keys]) => [name, keys.length]),
		);
		expect(counts).toMatchObject({
			conversation: 28,
			recording: 11,
			errored: 13,
			team: 30,
			userRow: 41,
			liveCoaching: 8,
		});
	});

	it.each(Object.keys(groups) as Array<keyof typeof groups>)(
		'have exactly the documented keys of kind %s',
		(kind) => {
			const rows = groups[kind]();
			expect(rows.length).toBeGreaterThan(0);
			for (const row of rows) expect(Object.keys(row).sort()).toEqual([...documentedKeys[kind]].sort());
		},
	);

	it.each(Object.keys(nullableKeys) as Array<keyof typeof nullableKeys>)(
		'of kind %s have nulls in every nullable field and in no other',
		(kind) => {
			const rows = groups[kind]();
			const nulls = documentedKeys[kind].filter((key) => rows.some((row) => row[key] === null));
			const filled = documentedKeys[kind].filter((key) => rows.some((row) => row[key] !== null));
			expect(nulls.sort()).toEqual([...nullableKeys[kind]].sort());
			expect(filled).toEqual(documentedKeys[kind]);
		},
	);

	it('have aliases with equal values', () => {
		for (const checklist of groups.checklist()) {
			expect(checklist).toMatchObject({
				name: checklist.checklistName,
				score: checklist.checklistScore,
				denominator: checklist.checklistDenominator,
			});
			expect(checklist.checklistDenominator).toBe((checklist.trackerData as Row[]).length);
		}
		for (const tracker of groups.tracker()) {
			expect(tracker).toMatchObject({
				name: tracker.trackerName,
				isHit: tracker.trackerIsHit,
				aiScore: tracker.trackerAiScore,
			});
		}
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

	it('have null instead of an empty list for a user without teams', () => {
		expect(users.some((user) => user.teams === null)).toBe(true);
		expect(users.some((user) => Array.isArray(user.teams) && user.teams.length === 0)).toBe(false);
	});
});
