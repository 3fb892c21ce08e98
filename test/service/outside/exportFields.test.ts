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

// D1-RESP-01..08, D1-EXP-00, D1-CONVENTION-01
test('a page has exactly the documented keys and types', async () => {
	const response = await exportPost(service, 'conversations', { limit: 2 });
	expect(response.headers['content-type']).toMatch(/^application\/json/);
	expect(differences('ConversationsExportResponse', response.json)).toEqual([]);
	const byProcessing = await exportPost(service, 'conversations', { limit: 2, dateType: 'processedDate' });
	const omitted = ['awaitingUpload', 'totalAwaitingUpload'];
	expect(differences('ConversationsExportResponse', byProcessing.json, { omitted })).toEqual([]);
});

// D1-CONV-01..28, D1-RUSER-01..03, D1-CONVENTION-03
test('a conversation has exactly the documented keys and types', () => {
	expectRows('ConversationsExport', conversations());
});

// D1-VIEWER-01..04
test('a viewer has exactly the documented keys and types, with plausible numbers', () => {
	const viewers = conversations().flatMap((row) => row.viewers);
	expectRows('Viewer', viewers);
	for (const { viewCount, totalViewTimeMs } of viewers) {
		expect(viewCount).toBeGreaterThanOrEqual(1);
		expect(totalViewTimeMs).toBeGreaterThanOrEqual(0);
	}
});

// D1-CHECK-01..07
test('a checklist has exactly the documented keys and types, equal aliases and correct counts', () => {
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

// D1-CONV-24
test('a conversation has each checklist only once', () => {
	for (const { checklists } of conversations()) {
		const names = checklists.map((checklist) => checklist.checklistName);
		expect(new Set(names).size).toBe(names.length);
	}
});

// D1-TRACK-01..07
test('a tracker has exactly the documented keys and types, with equal aliases', () => {
	const trackers = conversations().flatMap((row) => row.checklists.flatMap((list) => list.trackerData));
	expectRows('Tracker', trackers);
	for (const tracker of trackers) {
		expect(tracker.name).toBe(tracker.trackerName);
		expect(tracker.isHit).toBe(tracker.trackerIsHit);
		expect(tracker.aiScore).toBe(tracker.trackerAiScore);
	}
});

// D1-AITRACK-01..05
test('an AI tracker has exactly the documented keys and types', () => {
	expectRows(
		'AiTracker',
		conversations().flatMap((row) => row.aiTrackers),
	);
});

// D1-TRACK-01, D1-AITRACK-02
test('a tracker has the same trackerId in every conversation', () => {
	const idOf = new Map<string, string>();
	for (const { checklists, aiTrackers } of conversations()) {
		for (const { trackerName, trackerId } of [...checklists.flatMap((c) => c.trackerData), ...aiTrackers]) {
			expect(idOf.get(trackerName) ?? trackerId).toBe(trackerId);
			idOf.set(trackerName, trackerId);
		}
	}
	expect(new Set(idOf.values()).size).toBe(idOf.size);
});

// D1-CONV-25
test('aiTrackers do not repeat the checklists’ trackers', () => {
	for (const { checklists, aiTrackers } of conversations()) {
		const inChecklists = new Set(checklists.flatMap((c) => c.trackerData.map((t) => t.trackerId)));
		expect(aiTrackers.filter((tracker) => inChecklists.has(tracker.trackerId))).toEqual([]);
	}
});

// D1-CUSTOMER-01..04, D1-ADDRESS-01..06
test('a customer has exactly the documented keys and types', () => {
	const customers = conversations().flatMap((row) => row.customer ?? []);
	expectRows('ConversationCustomer', customers);
});

// D1-CONV-27
test('customer is null when no customer field exists', () => {
	for (const { customer } of conversations()) {
		if (customer === null) continue;
		const { address, ...contact } = customer;
		expect([...Object.values(contact), ...Object.values(address)].some((value) => value !== null)).toBe(true);
	}
});

// D1-SURVEY-01..03
test('a survey has exactly the documented keys and types', () => {
	expectRows(
		'SurveyConversationResult',
		conversations().flatMap((row) => row.surveyResults),
	);
});

// D1-CONV-26
test('customFields is a non-empty object or null', () => {
	for (const { customFields } of conversations()) {
		if (customFields !== null) expect(Object.keys(customFields).length).toBeGreaterThan(0);
	}
});

// D1-CONV-03, D1-CONV-04, D1-CONVENTION-02
test('times are ISO 8601, and processing ends after recording starts', () => {
	for (const { date, processedDate } of conversations()) {
		expect([date, processedDate].every(isIso)).toBe(true);
		expect(date.endsWith('Z')).toBe(true);
		expect(Date.parse(processedDate)).toBeGreaterThanOrEqual(Date.parse(date));
	}
});

// D1-CONV-17..19, D1-CONVENTION-04
test('the talk ratio is a fraction, and monologues are seconds within the duration', () => {
	for (const { repTalkRatio, duration, longestRepMonologue, longestCustomerMonologue } of conversations()) {
		expect(repTalkRatio ?? 0).toBeGreaterThanOrEqual(0);
		expect(repTalkRatio ?? 0).toBeLessThanOrEqual(1);
		expect(longestRepMonologue ?? 0).toBeLessThanOrEqual(duration);
		expect(longestCustomerMonologue ?? 0).toBeLessThanOrEqual(duration);
	}
});

// D1-REC-01..11, D1-RECORDING-01, D1-EXP-01
test('a recording awaiting upload has exactly the documented keys and types', () => {
	expectRows('RecordingsExport', awaiting());
});

// D1-ERRORED-01..13, D1-EXP-01
test('an errored recording has exactly the documented keys and types', () => {
	expectRows('ErroredRecordingsExport', errored());
	for (const { processedDate, error } of errored()) {
		expect(processedDate === null || isIso(processedDate)).toBe(true);
		expect(error).not.toBe('');
	}
});

// D1-RECORDING-02, D1-DOES-03
test('a recording is in only one of the three arrays', () => {
	const ids = [...conversations(), ...awaiting(), ...errored()].map((row) => row.recordingId);
	expect(new Set(ids).size).toBe(ids.length);
});

// D1-TEAM-01..30
test('a team has exactly the documented keys and types', async () => {
	expectRows('TeamsExport', await teams(service));
});

// D1-USER-01..41, D1-MEMBER-01..02, D1-COACH-01..08
test('a user has exactly the documented keys and types', async () => {
	expectRows('UsersExport', await users(service));
});
