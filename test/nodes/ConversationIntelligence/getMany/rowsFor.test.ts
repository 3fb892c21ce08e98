import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import {
	ENTRY_KINDS,
	entriesOf as rowsOfKind,
} from '../../../../nodes/ConversationIntelligence/getMany/rowsFor';

type Kind = keyof typeof ENTRY_KINDS;
const KINDS = Object.keys(ENTRY_KINDS) as Kind[];

/** Names that repeat often, and that contain what separates the parts of a key. */
const name = fc.constantFrom('a', 'b', 'a/b', 'a#2', '%2F', '__proto__', '\uD800');
const isHit = fc.constantFrom(true, false, null);
const aiScore = fc.constantFrom(null, 0, 0.5);
const list = <T>(entry: fc.Arbitrary<T>) => fc.array(entry, { maxLength: 4 });

/** A tracker of a checklist has each value twice (D1 § Tracker). */
const tracker = fc
	.record({ trackerId: name, name, isHit, aiScore })
	.map((one) => ({ ...one, trackerName: one.name, trackerIsHit: one.isHit, trackerAiScore: one.aiScore }));
const checklist = fc
	.record({ name, score: fc.nat(9), denominator: fc.nat(9), trackerData: list(tracker) })
	.map((one) => ({
		...one,
		checklistName: one.name,
		checklistScore: one.score,
		checklistDenominator: one.denominator,
	}));
const conversation = fc.record({
	conversationId: fc.uuid(),
	date: fc.constant('2026-03-01T12:00:00Z'),
	user: fc.record({ id: name, name, email: name }),
	customer: fc.option(fc.record({ name })),
	checklists: list(checklist),
	aiTrackers: list(fc.record({ checklistName: name, trackerId: name, trackerName: name, isHit, aiScore })),
	viewers: list(fc.record({ userId: name, name, viewCount: fc.nat(9), totalViewTimeMs: fc.nat(9) })),
	surveyResults: list(
		fc.record({
			surveyId: name,
			surveyName: name,
			data: fc.dictionary(fc.constantFrom('q', 'r', 'q/r', '1'), fc.constantFrom('text', '', null), {
				maxKeys: 3,
			}),
		}),
	),
});
type Conversation = typeof conversation extends fc.Arbitrary<infer Row> ? Row : never;

const rowsOf = (kind: Kind, row: Conversation) =>
	rowsOfKind(ENTRY_KINDS[kind], row as unknown as IDataObject);
test.each(KINDS)(
	'each of the rows for %s has a key of its own, the same in each run, and no nested value',
	(kind) => {
		fc.assert(
			fc.property(fc.uniqueArray(conversation, { selector: (row) => row.conversationId }), (all) => {
				const rows = all.flatMap((row) => rowsOf(kind, row));
				const keys = rows.map(({ rowKey }) => rowKey);
				expect(new Set(keys).size).toBe(keys.length);
				expect(all.flatMap((row) => rowsOf(kind, row))).toEqual(rows);
				for (const row of rows) expect(Object.values(row).some((cell) => Object(cell) === cell)).toBe(false);
			}),
		);
	},
);

test('a key says where its entry is, and does not change when others come and go', () => {
	const tracker = (trackerId: string) => ({ trackerId, trackerName: trackerId, isHit: true, aiScore: null });
	const keys = (...ids: string[]) =>
		rowsOf('trackers', {
			conversationId: 'c-1',
			checklists: [{ checklistName: 'Empty' }, { checklistName: 'To/do/#', trackerData: ids.map(tracker) }],
			aiTrackers: [{ ...tracker('t-1'), checklistName: '' }],
		} as unknown as Conversation).map(({ rowKey }) => rowKey);
	expect(keys('t-1', 't-2')).toEqual([
		'c-1/checklists/To%2Fdo%2F%23/t-1',
		'c-1/checklists/To%2Fdo%2F%23/t-2',
		'c-1/aiTrackers//t-1',
	]);
	expect(keys('t-3', 't-2', 't-2').slice(1)).toEqual([
		'c-1/checklists/To%2Fdo%2F%23/t-2',
		'c-1/checklists/To%2Fdo%2F%23/t-2#2',
		'c-1/aiTrackers//t-1',
	]);
});

test.each(['checklists', 'trackers'] as const)(
	'the keys of %s do not depend on the order of the service',
	(kind) => {
		const keysOf = (row: Conversation) =>
			rowsOf(kind, row)
				.map((entry) => JSON.stringify(Object.entries(entry).sort()))
				.sort();
		const reversed = (row: Conversation): Conversation => ({
			...row,
			checklists: row.checklists
				.map((one) => ({ ...one, trackerData: [...one.trackerData].reverse() }))
				.reverse(),
			aiTrackers: [...row.aiTrackers].reverse(),
		});
		fc.assert(fc.property(conversation, (row) => expect(keysOf(reversed(row))).toEqual(keysOf(row))));
		const checklist = (checklistScore: number, ...ids: string[]) => ({
			checklistName: 'Call',
			checklistScore,
			trackerData: ids.map((trackerId) => ({ trackerId, trackerIsHit: true })),
		});
		const keysBy = (...checklists: object[]) =>
			rowsOf('checklists', { conversationId: 'c', checklists } as unknown as Conversation).map(
				({ rowKey }) => rowKey,
			);
		// A new score is no other checklist.
		expect(keysBy(checklist(9, 'b'), checklist(1, 'a'))).toEqual([
			'c/checklists/Call#2',
			'c/checklists/Call',
		]);
		expect(keysBy(checklist(9, 'a'), checklist(1, 'b'))).toEqual([
			'c/checklists/Call',
			'c/checklists/Call#2',
		]);
	},
);

test('an answer that is no text is JSON, and what is no object has no answers', () => {
	const data = { count: 5, list: ['a'], no: false };
	const row = { conversationId: 'c', surveyResults: [null, { data }, { data: null }] };
	const answers = rowsOf('surveyAnswers', row as unknown as Conversation).map(({ answer }) => answer);
	expect(answers).toEqual(['5', '["a"]', 'false']);
});
