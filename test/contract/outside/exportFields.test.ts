import { exportPost, listAll, teams, users } from '../support/http';
import { useService } from '../support/service';
import { differences, isIso } from '../support/tables';

const service = useService({ conversations: 300, awaitingUpload: 60, errored: 40 });

let pages: Awaited<ReturnType<typeof listAll>>;
beforeAll(async () => {
	pages = await listAll(service);
});
const conversations = () => pages.flatMap((page) => page.conversations);
const awaiting = () => pages.flatMap((page) => page.awaitingUpload ?? []);
const errored = () => pages.flatMap((page) => page.errored);

/** Fails with the first differences. Also fails without rows, because they would prove nothing. */
function expectRows(table: string, rows: readonly unknown[]) {
	expect(rows.length).toBeGreaterThan(0);
	expect(rows.flatMap((row) => differences(table, row)).slice(0, 5)).toEqual([]);
}

test('a page has exactly the documented keys and types [D1-RESP-01..08] [D1-EXP-00] [D1-CONVENTION-01]', async () => {
	const response = await exportPost(service, 'conversations', { limit: 2 });
	expect(response.headers['content-type']).toMatch(/^application\/json/);
	expect(differences('ConversationsExportResponse', response.json)).toEqual([]);
	const byProcessing = await exportPost(service, 'conversations', { limit: 2, dateType: 'processedDate' });
	const omitted = ['awaitingUpload', 'totalAwaitingUpload'];
	expect(differences('ConversationsExportResponse', byProcessing.json, { omitted })).toEqual([]);
});

test('a conversation has exactly the documented keys and types [D1-CONV-01..28] [D1-RUSER-01..03] [D1-CONVENTION-03]', () => {
	expectRows('ConversationsExport', conversations());
});

test('a viewer has exactly the documented keys and types, with plausible numbers [D1-VIEWER-01..04]', () => {
	const viewers = conversations().flatMap((row) => row.viewers);
	expectRows('Viewer', viewers);
	for (const { viewCount, totalViewTimeMs } of viewers) {
		expect(viewCount).toBeGreaterThanOrEqual(1);
		expect(totalViewTimeMs).toBeGreaterThanOrEqual(0);
	}
});

test('a checklist has exactly the documented keys and types, equal aliases and correct counts [D1-CHECK-01..07]', () => {
	const checklists = conversations().flatMap((row) => row.checklists);
	expectRows('Checklist', checklists);
	for (const checklist of checklists) {
		expect(checklist.name).toBe(checklist.checklistName);
		expect(checklist.score).toBe(checklist.checklistScore);
		expect(checklist.denominator).toBe(checklist.checklistDenominator);
		expect(checklist.checklistDenominator).toBe(checklist.trackerData.length);
		const hit = checklist.trackerData.filter((tracker) => tracker.trackerIsHit).length;
		expect(checklist.checklistScore).toBe(hit);
	}
});

test('a conversation has each checklist only once [D1-CONV-24]', () => {
	for (const { checklists } of conversations()) {
		const names = checklists.map((checklist) => checklist.checklistName);
		expect(new Set(names).size).toBe(names.length);
	}
});

test('a tracker has exactly the documented keys and types, with equal aliases [D1-TRACK-01..07]', () => {
	const trackers = conversations().flatMap((row) => row.checklists.flatMap((list) => list.trackerData));
	expectRows('Tracker', trackers);
	for (const tracker of trackers) {
		expect(tracker.name).toBe(tracker.trackerName);
		expect(tracker.isHit).toBe(tracker.trackerIsHit);
		expect(tracker.aiScore).toBe(tracker.trackerAiScore);
	}
});

test('an AI tracker has exactly the documented keys and types [D1-AITRACK-01..05]', () => {
	expectRows(
		'AiTracker',
		conversations().flatMap((row) => row.aiTrackers),
	);
});

test('a tracker has the same trackerId in every conversation [D1-TRACK-01] [D1-AITRACK-02]', () => {
	const idOf = new Map<string, string>();
	for (const { checklists, aiTrackers } of conversations()) {
		for (const { trackerName, trackerId } of [...checklists.flatMap((c) => c.trackerData), ...aiTrackers]) {
			expect(idOf.get(trackerName) ?? trackerId).toBe(trackerId);
			idOf.set(trackerName, trackerId);
		}
	}
	expect(new Set(idOf.values()).size).toBe(idOf.size);
});

test('aiTrackers do not repeat the checklists’ trackers [D1-CONV-25]', () => {
	for (const { checklists, aiTrackers } of conversations()) {
		const inChecklists = new Set(checklists.flatMap((c) => c.trackerData.map((t) => t.trackerId)));
		expect(aiTrackers.filter((tracker) => inChecklists.has(tracker.trackerId))).toEqual([]);
	}
});

test('a customer has exactly the documented keys and types [D1-CUSTOMER-01..04] [D1-ADDRESS-01..06]', () => {
	const customers = conversations().flatMap((row) => row.customer ?? []);
	expectRows('ConversationCustomer', customers);
});

test('customer is null when no customer field exists [D1-CONV-27]', () => {
	for (const { customer } of conversations()) {
		if (customer === null) continue;
		const { address, ...contact } = customer;
		expect([...Object.values(contact), ...Object.values(address)].some((value) => value !== null)).toBe(true);
	}
});

test('a survey has exactly the documented keys and types [D1-SURVEY-01..03]', () => {
	expectRows(
		'SurveyConversationResult',
		conversations().flatMap((row) => row.surveyResults),
	);
});

test('customFields is a non-empty object or null [D1-CONV-26]', () => {
	for (const { customFields } of conversations()) {
		if (customFields !== null) expect(Object.keys(customFields).length).toBeGreaterThan(0);
	}
});

test('times are ISO 8601, and processing ends after recording starts [D1-CONV-03] [D1-CONV-04] [D1-CONVENTION-02]', () => {
	for (const { date, processedDate } of conversations()) {
		expect([date, processedDate].every(isIso)).toBe(true);
		expect(date.endsWith('Z')).toBe(true);
		expect(Date.parse(processedDate)).toBeGreaterThanOrEqual(Date.parse(date));
	}
});

test('the talk ratio is a fraction, and monologues are seconds within the duration [D1-CONV-17..19] [D1-CONVENTION-04]', () => {
	for (const { repTalkRatio, duration, longestRepMonologue, longestCustomerMonologue } of conversations()) {
		expect(repTalkRatio ?? 0).toBeGreaterThanOrEqual(0);
		expect(repTalkRatio ?? 0).toBeLessThanOrEqual(1);
		expect(longestRepMonologue ?? 0).toBeLessThanOrEqual(duration);
		expect(longestCustomerMonologue ?? 0).toBeLessThanOrEqual(duration);
	}
});

test('a recording awaiting upload has exactly the documented keys and types [D1-REC-01..11] [D1-RECORDING-01] [D1-EXP-01]', () => {
	expectRows('RecordingsExport', awaiting());
});

test('an errored recording has exactly the documented keys and types [D1-ERRORED-01..13] [D1-EXP-01]', () => {
	expectRows('ErroredRecordingsExport', errored());
	for (const { processedDate, error } of errored()) {
		expect(processedDate === null || isIso(processedDate)).toBe(true);
		expect(error).not.toBe('');
	}
});

test('a recording is in only one of the three arrays [D1-RECORDING-02] [D1-DOES-03]', () => {
	const ids = [...conversations(), ...awaiting(), ...errored()].map((row) => row.recordingId);
	expect(new Set(ids).size).toBe(ids.length);
});

test('a team has exactly the documented keys and types [D1-TEAM-01..30]', async () => {
	expectRows('TeamsExport', await teams(service));
});

test('a user has exactly the documented keys and types [D1-USER-01..41] [D1-MEMBER-01..02] [D1-COACH-01..08]', async () => {
	expectRows('UsersExport', await users(service));
});
