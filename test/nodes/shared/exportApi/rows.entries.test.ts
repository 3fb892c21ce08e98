import { fieldIn } from '../../../../nodes/shared/exportApi/rows';

const tracker = (trackerName: string, trackerIsHit: boolean | null) => ({ trackerName, trackerIsHit });

// D1 § Checklist, Tracker, AiTracker
test('texts of checklists and trackers name each once, by its name in or outside of a checklist', () => {
	const row = {
		checklists: [
			{
				...{ checklistName: 'Discovery', checklistScore: 1, checklistDenominator: 3 },
				trackerData: [tracker('Budget', true), tracker('Need, pain', false), tracker('Timing', null)],
			},
			{
				...{ checklistName: 'Close', checklistScore: 0, checklistDenominator: 1 },
				trackerData: [tracker('Budget', true)],
			},
		],
		aiTrackers: [{ checklistName: 'Close', trackerName: 'Price', isHit: false }],
	};
	expect(fieldIn(row, 'checklistScores')).toBe('Discovery 1/3, Close 0/1');
	expect(fieldIn(row, 'hitTrackers')).toBe('Budget');
	expect(fieldIn(row, 'missedTrackers')).toBe('Need, pain, Price');
	expect(fieldIn({ ...row, hitTrackers: 'own' }, 'hitTrackers')).toBe('own');
});

test.each([{}, { checklists: [], aiTrackers: [] }, { checklists: null, aiTrackers: [null, 'x'] }])(
	'texts of %j are null',
	(row) => {
		const texts = ['checklistScores', 'hitTrackers', 'missedTrackers'].map((name) =>
			fieldIn(row as never, name),
		);
		expect(texts).toEqual([null, null, null]);
	},
);
