import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { ENTRY_KINDS, entriesOf } from '../../../../nodes/ConversationIntelligence/getMany/rowsFor';

type Kind = keyof typeof ENTRY_KINDS;
const rowsOf = (kind: Kind, row: object) => entriesOf(ENTRY_KINDS[kind], row as IDataObject);
const keysOf = (kind: Kind, row: object) => rowsOf(kind, row).map(({ rowKey }) => rowKey);

/** Names that repeat often, and that contain what separates the parts of a key. */
const name = fc.constantFrom('a', 'b', 'a/b', 'a#2', '%2F', '__proto__', '\uD800');
const count = fc.nat(9);
const list = <T>(entry: fc.Arbitrary<T>) => fc.array(entry, { maxLength: 4 });
const hit = { isHit: fc.constantFrom(true, false, null), aiScore: fc.constantFrom(null, 0, 0.5) };
const tracker = fc
	.record({ trackerId: name, trackerName: name, ...hit })
	.map((one) => ({ ...one, trackerIsHit: one.isHit, trackerAiScore: one.aiScore }));
const question = fc.constantFrom('q', 'r', 'q/r', '1');
const conversation = fc.record({
	conversationId: fc.uuid(),
	date: fc.constant('2026-03-01T12:00:00Z'),
	user: fc.record({ id: name, name, email: name }),
	customer: fc.option(fc.record({ name })),
	checklists: list(
		fc.record({
			...{ checklistName: name, checklistScore: count, checklistDenominator: count },
			trackerData: list(tracker),
		}),
	),
	aiTrackers: list(fc.record({ checklistName: name, trackerId: name, trackerName: name, ...hit })),
	viewers: list(fc.record({ userId: name, name, viewCount: count, totalViewTimeMs: count })),
	surveyResults: list(
		fc.record({
			...{ surveyId: name, surveyName: name },
			data: fc.dictionary(question, fc.constantFrom('text', '', null), { maxKeys: 3 }),
		}),
	),
});

test.each(Object.keys(ENTRY_KINDS) as Kind[])(
	'each of the rows for %s has a key of its own, the same in each run, and no nested value',
	(kind) => {
		fc.assert(
			fc.property(fc.uniqueArray(conversation, { selector: (row) => row.conversationId }), (all) => {
				const rows = all.flatMap((row) => rowsOf(kind, row));
				expect(new Set(rows.map(({ rowKey }) => rowKey)).size).toBe(rows.length);
				expect(all.flatMap((row) => rowsOf(kind, row))).toEqual(rows);
				expect(rows.flatMap(Object.values).filter((cell) => Object(cell) === cell)).toEqual([]);
			}),
		);
	},
);

test('a key says where its entry is, and does not change when others come and go', () => {
	const tracker = (trackerId: string) => ({ trackerId, trackerName: trackerId, isHit: true, aiScore: null });
	const keys = (...ids: string[]) =>
		keysOf('trackers', {
			conversationId: 'c-1',
			checklists: [{ checklistName: 'Empty' }, { checklistName: 'To/do/#', trackerData: ids.map(tracker) }],
			aiTrackers: [{ ...tracker('t-1'), checklistName: '' }],
		});
	const todo = 'c-1/checklists/To%2Fdo%2F%23';
	expect(keys('t-1', 't-2')).toEqual([`${todo}/t-1`, `${todo}/t-2`, 'c-1/aiTrackers//t-1']);
	expect(keys('t-3', 't-2', 't-2').slice(1)).toEqual([`${todo}/t-2`, `${todo}/t-2#2`, 'c-1/aiTrackers//t-1']);
});

test.each(['checklists', 'trackers'] as const)(
	'the keys of %s do not depend on the order of the service',
	(kind) => {
		const sorted = (row: object) =>
			rowsOf(kind, row)
				.map((one) => JSON.stringify(Object.entries(one).sort()))
				.sort();
		fc.assert(
			fc.property(conversation, (row) => {
				const checklists = row.checklists.map((one) => ({
					...one,
					trackerData: one.trackerData.toReversed(),
				}));
				const reversed = { checklists: checklists.reverse(), aiTrackers: row.aiTrackers.toReversed() };
				expect(sorted({ ...row, ...reversed })).toEqual(sorted(row));
			}),
		);
	},
);

test.each([
	[9, 'b', 1, 'a', ['c/checklists/Call#2', 'c/checklists/Call']],
	[9, 'a', 1, 'b', ['c/checklists/Call', 'c/checklists/Call#2']],
])(
	'a new score is no other checklist: of %i with %s and %i with %s, the keys are %j',
	(one, a, other, b, keys) => {
		const checklists = [
			[one, a],
			[other, b],
		].map(([checklistScore, trackerId]) => ({
			...{ checklistName: 'Call', checklistScore },
			trackerData: [{ trackerId, trackerIsHit: true }],
		}));
		expect(keysOf('checklists', { conversationId: 'c', checklists })).toEqual(keys);
	},
);

test.each([
	[true, false],
	[false, true],
])(
	'trackers of two checklists of one name keep their keys in any order, hit or not: %s, %s',
	(inFirst, inOther) => {
		const call = (isHit: boolean, other: string) => ({
			checklistName: 'Call',
			trackerData: ['a', other].map((trackerId) => ({ trackerId, isHit })),
		});
		const checklists = [call(inFirst, 'b'), call(inOther, 'c')];
		const keys = ['Call/a', 'Call/b', 'Call/a#2', 'Call/c'].map((key) => `c/checklists/${key}`);
		expect(keysOf('trackers', { conversationId: 'c', checklists })).toEqual(keys);
		const reversed = { conversationId: 'c', checklists: checklists.reverse() };
		expect(keysOf('trackers', reversed)).toEqual([...keys.slice(2), ...keys.slice(0, 2)]);
	},
);

test('an answer that is no text is JSON, and what is no object has no answers', () => {
	const data = { count: 5, list: ['a'], no: false };
	const answers = rowsOf('surveyAnswers', { surveyResults: [null, { data }, { data: null }] });
	expect(answers.map(({ answer }) => answer)).toEqual(['5', '["a"]', 'false']);
});
