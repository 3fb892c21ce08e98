import {
	conversationsExportSchema,
	erroredRecordingsExportSchema,
	recordingsExportSchema,
	teamsExportSchema,
	usersExportSchema,
} from '../../../nodes/shared/contract';
import { tables } from '../../../scripts/conformance/rules';
import { exportPost, list, listAll, teams, users } from '../support/http';
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

/** Fails with the first differences; an empty list proves nothing, so it fails too. */
function expectRows(table: string, rows: readonly unknown[]) {
	expect(rows.length).toBeGreaterThan(0);
	expect(rows.flatMap((row) => differences(table, row)).slice(0, 5)).toEqual([]);
}

test('[D1-RESP-01..08] [D1-EXP-00] [D1-CONVENTION-01] the page has exactly its keys and types', async () => {
	const answer = await exportPost(service, 'conversations', { limit: 2 });
	expect(answer.headers['content-type']).toMatch(/^application\/json/);
	expect(differences('ConversationsExportResponse', answer.json)).toEqual([]);
	const byProcessing = await exportPost(service, 'conversations', { limit: 2, dateType: 'processedDate' });
	const omitted = ['awaitingUpload', 'totalAwaitingUpload'];
	expect(differences('ConversationsExportResponse', byProcessing.json, { omitted })).toEqual([]);
});

test('[D1-CONV-01..28] [D1-RUSER-01..03] [D1-CONVENTION-03] exact keys and types', () => {
	expect(tables.ConversationsExport.fields).toHaveLength(28);
	expectRows('ConversationsExport', conversations());
});

test('[D1-VIEWER-01..04] exact keys and types, in ranges that make sense', () => {
	const viewers = conversations().flatMap((row) => row.viewers);
	expectRows('Viewer', viewers);
	for (const { viewCount, totalViewTimeMs } of viewers) {
		expect(viewCount).toBeGreaterThanOrEqual(1);
		expect(totalViewTimeMs).toBeGreaterThanOrEqual(0);
	}
});

test('[D1-CHECK-01..07] exact keys and types, equal aliases, counts of the trackers', () => {
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

test('[D1-CONV-24] a checklist shows up once per conversation, with its latest evaluation', () => {
	for (const { checklists } of conversations()) {
		const names = checklists.map((checklist) => checklist.checklistName);
		expect(new Set(names).size).toBe(names.length);
	}
});

test('[D1-TRACK-01..07] exact keys and types, equal aliases', () => {
	const trackers = conversations().flatMap((row) => row.checklists.flatMap((list) => list.trackerData));
	expectRows('Tracker', trackers);
	for (const tracker of trackers) {
		expect(tracker.name).toBe(tracker.trackerName);
		expect(tracker.isHit).toBe(tracker.trackerIsHit);
		expect(tracker.aiScore).toBe(tracker.trackerAiScore);
	}
});

test('[D1-AITRACK-01..05] exact keys and types', () => {
	expectRows(
		'AiTracker',
		conversations().flatMap((row) => row.aiTrackers),
	);
});

test('[D1-TRACK-01] [D1-AITRACK-02] trackerId is the same for a tracker in every conversation', () => {
	const idOf = new Map<string, string>();
	for (const { checklists, aiTrackers } of conversations()) {
		for (const { trackerName, trackerId } of [...checklists.flatMap((c) => c.trackerData), ...aiTrackers]) {
			expect(idOf.get(trackerName) ?? trackerId).toBe(trackerId);
			idOf.set(trackerName, trackerId);
		}
	}
	expect(new Set(idOf.values()).size).toBe(idOf.size);
});

test('[D1-CONV-25] aiTrackers are not a copy of the checklists’ trackers', () => {
	for (const { checklists, aiTrackers } of conversations()) {
		const inChecklists = new Set(checklists.flatMap((c) => c.trackerData.map((t) => t.trackerId)));
		expect(aiTrackers.filter((tracker) => inChecklists.has(tracker.trackerId))).toEqual([]);
	}
});

test('[D1-CUSTOMER-01..04] [D1-ADDRESS-01..06] exact keys and types', () => {
	const customers = conversations().flatMap((row) => row.customer ?? []);
	expectRows('ConversationCustomer', customers);
});

test('[D1-CONV-27] customer is null when no customer field exists', () => {
	for (const { customer } of conversations()) {
		if (customer === null) continue;
		const { address, ...contact } = customer;
		expect([...Object.values(contact), ...Object.values(address)].some((value) => value !== null)).toBe(true);
	}
});

test('[D1-SURVEY-01..03] exact keys and types', () => {
	expectRows(
		'SurveyConversationResult',
		conversations().flatMap((row) => row.surveyResults),
	);
});

test('[D1-CONV-26] customFields is an object that holds something, or null', () => {
	for (const { customFields } of conversations()) {
		if (customFields !== null) expect(Object.keys(customFields).length).toBeGreaterThan(0);
	}
});

test('[D1-CONV-03] [D1-CONV-04] [D1-CONVENTION-02] times are ISO 8601, and processing follows the recording', () => {
	for (const { date, processedDate } of conversations()) {
		expect([date, processedDate].every(isIso)).toBe(true);
		expect(date.endsWith('Z')).toBe(true);
		expect(Date.parse(processedDate)).toBeGreaterThanOrEqual(Date.parse(date));
	}
});

test('[D1-CONV-17..19] [D1-CONVENTION-04] talk metrics are a fraction, and seconds within the duration', () => {
	for (const { repTalkRatio, duration, longestRepMonologue, longestCustomerMonologue } of conversations()) {
		expect(repTalkRatio ?? 0).toBeGreaterThanOrEqual(0);
		expect(repTalkRatio ?? 0).toBeLessThanOrEqual(1);
		expect(longestRepMonologue ?? 0).toBeLessThanOrEqual(duration);
		expect(longestCustomerMonologue ?? 0).toBeLessThanOrEqual(duration);
	}
});

test('[D1-REC-01..11] [D1-RECORDING-01] [D1-EXP-01] exact keys and types', () => {
	expect(tables.RecordingsExport.fields).toHaveLength(11);
	expectRows('RecordingsExport', awaiting());
});

test('[D1-ERRORED-01..13] [D1-EXP-01] exact keys and types', () => {
	expect(tables.ErroredRecordingsExport.fields).toHaveLength(13);
	expectRows('ErroredRecordingsExport', errored());
	for (const { processedDate, error } of errored()) {
		expect(processedDate === null || isIso(processedDate)).toBe(true);
		expect(error).not.toBe('');
	}
});

test('[D1-RECORDING-02] [D1-DOES-03] a recording is of one kind only', () => {
	const ids = [...conversations(), ...awaiting(), ...errored()].map((row) => row.recordingId);
	expect(new Set(ids).size).toBe(ids.length);
});

test('[D1-TEAM-01..30] exact keys and types', async () => {
	expect(tables.TeamsExport.fields).toHaveLength(30);
	expectRows('TeamsExport', await teams(service));
});

test('[D1-USER-01..41] [D1-MEMBER-01..02] [D1-COACH-01..08] exact keys and types', async () => {
	expect(tables.UsersExport.fields).toHaveLength(41);
	expectRows('UsersExport', await users(service));
});

test('[D1-CONVENTION-03] the nodes’ contract names the documents’ fields', async () => {
	const contract = {
		ConversationsExport: conversationsExportSchema,
		RecordingsExport: recordingsExportSchema,
		ErroredRecordingsExport: erroredRecordingsExportSchema,
		TeamsExport: teamsExportSchema,
		UsersExport: usersExportSchema,
	};
	for (const [table, schema] of Object.entries(contract)) {
		expect(Object.keys(schema.shape).sort()).toEqual(tables[table].fields.map(({ name }) => name).sort());
	}
	expect((await list(service, { limit: 1 })).conversations).toHaveLength(1);
});
