import { type Conversation, exportPost, listAll, rowsOf, teams, users } from '../support/http';
import { useService } from '../support/service';
import { differences, isIso } from '../support/tables';

const service = useService({ conversations: 300, awaitingUpload: 60, errored: 40 });

let pages: Awaited<ReturnType<typeof listAll>>;
beforeAll(async () => {
	pages = await listAll(service);
});
const conversations = () => pages.flatMap((page) => page.conversations);

// D1-RESP-01..08, D1-EXP-00, D1-CONVENTION-01
test('a page has exactly the documented keys and types', async () => {
	const response = await exportPost(service, 'conversations', { limit: 2 });
	expect(response.headers['content-type']).toMatch(/^application\/json/);
	expect(differences('ConversationsExportResponse', response.json)).toEqual([]);
	const byProcessing = await exportPost(service, 'conversations', { limit: 2, dateType: 'processedDate' });
	const omitted = ['awaitingUpload', 'totalAwaitingUpload'];
	expect(differences('ConversationsExportResponse', byProcessing.json, omitted)).toEqual([]);
});

// D1-CONV-01..28, D1-RUSER-01..03, D1-CONVENTION-03, D1-VIEWER-01..04, D1-CHECK-01..07, D1-TRACK-01..07
// D1-AITRACK-01..05, D1-CUSTOMER-01..04, D1-ADDRESS-01..06, D1-SURVEY-01..03, D1-REC-01..11, D1-RECORDING-01
// D1-EXP-01, D1-ERRORED-01..13, D1-TEAM-01..30, D1-USER-01..41, D1-MEMBER-01..02, D1-COACH-01..08
test.each<[string, () => unknown[] | Promise<unknown[]>]>([
	['ConversationsExport', conversations],
	['Viewer', () => conversations().flatMap((row) => row.viewers)],
	['Checklist', () => conversations().flatMap((row) => row.checklists)],
	['Tracker', () => conversations().flatMap((row) => row.checklists.flatMap((each) => each.trackerData))],
	['AiTracker', () => conversations().flatMap((row) => row.aiTrackers)],
	['ConversationCustomer', () => conversations().flatMap((row) => row.customer ?? [])],
	['SurveyConversationResult', () => conversations().flatMap((row) => row.surveyResults)],
	['RecordingsExport', () => pages.flatMap((page) => page.awaitingUpload)],
	['ErroredRecordingsExport', () => pages.flatMap((page) => page.errored)],
	['TeamsExport', () => teams(service)],
	['UsersExport', () => users(service)],
])('each %s has exactly the documented keys and types', async (table, read) => {
	const rows = await read();
	expect(rows.length).toBeGreaterThan(0);
	expect(rows.flatMap((row) => differences(table, row)).slice(0, 5)).toEqual([]);
});

const hasValue = (object: object) => Object.values(object).some((value) => value !== null);

// D1-CONV-03..04, D1-CONV-18..19, D1-CONV-24..25, D1-CONV-27, D1-CONVENTION-02, D1-CONVENTION-04
// D1-CHECK-01..07, D1-TRACK-01..07
test.each<[string, (row: Conversation) => boolean]>([
	[
		'has times in ISO 8601, the recording in UTC',
		(row) => isIso(row.processedDate) && row.date.endsWith('Z'),
	],
	['is processed after it is recorded', (row) => Date.parse(row.processedDate) >= Date.parse(row.date)],
	[
		'has monologues within its duration, in seconds',
		(row) => Math.max(row.longestRepMonologue ?? 0, row.longestCustomerMonologue ?? 0) <= row.duration,
	],
	[
		'has each checklist once',
		({ checklists }) => new Set(checklists.map((each) => each.name)).size === checklists.length,
	],
	[
		'has checklists with equal aliases, whose score counts the trackers that were hit',
		({ checklists }) =>
			checklists.every(
				(each) =>
					each.name === each.checklistName &&
					each.score === each.checklistScore &&
					each.denominator === each.checklistDenominator &&
					each.denominator === each.trackerData.length &&
					each.score === each.trackerData.filter(({ isHit }) => isHit).length,
			),
	],
	[
		'has trackers with equal aliases',
		({ checklists }) =>
			checklists
				.flatMap(({ trackerData }) => trackerData)
				.every(
					(each) =>
						each.name === each.trackerName &&
						each.isHit === each.trackerIsHit &&
						each.aiScore === each.trackerAiScore,
				),
	],
	[
		'has no tracker both in and outside of its checklists',
		({ checklists, aiTrackers }) => {
			const inside = checklists.flatMap((each) => each.trackerData.map(({ trackerId }) => trackerId));
			return !aiTrackers.some(({ trackerId }) => inside.includes(trackerId));
		},
	],
	[
		'has a customer with a value, or null',
		({ customer }) =>
			customer === null || hasValue({ ...customer, address: null }) || hasValue(customer.address),
	],
])('each conversation %s', (_rule, holds) => {
	expect(conversations().filter((row) => !holds(row))).toEqual([]);
});

// D1-TRACK-01, D1-AITRACK-02
test('a tracker has the same trackerId in every conversation', () => {
	const trackers = conversations().flatMap((row) => [
		...row.checklists.flatMap((each) => each.trackerData),
		...row.aiTrackers,
	]);
	const names = new Set(trackers.map(({ trackerName }) => trackerName));
	expect(new Set(trackers.map(({ trackerName, trackerId }) => `${trackerName} ${trackerId}`)).size).toBe(
		names.size,
	);
});

// D1-RECORDING-02, D1-DOES-03
test('a recording is in only one of the three arrays', () => {
	const ids = rowsOf(pages).map((row) => row.recordingId);
	expect(new Set(ids).size).toBe(ids.length);
});
