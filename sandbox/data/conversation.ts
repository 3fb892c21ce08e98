import { round } from '../statistics';
import type { Organization } from './organization';
import { idOf, type Random } from './random';
import { buildRecording, customerOf, isoOf, randomOf, type Row, talkOf } from './rows';
import { checklists, looseTrackers, paragraphs } from './words';

/** A conversation, which has all fields of a recording (D1 § ConversationsExport). */
export function buildConversation(organization: Organization, row: Row) {
	const { seed, addresses } = organization;
	const random = randomOf(seed, row, 4);
	const conversationId = organization.conversationIdOf(row);
	const talk = talkOf(seed, row);
	return {
		conversationId,
		...buildRecording(seed, row),
		processedDate: isoOf(row.processedDate ?? row.date),
		transcriptUrl: addresses.link(`/transcripts/${conversationId}.json`),
		jobSummary: random.chance(0.9) ? random.pick(paragraphs) : null,
		customSummary: random.chance(0.35) ? random.pick(paragraphs) : null,
		repSpeedWPM: talk.speed,
		repTalkRatio: talk.ratio,
		longestRepMonologue: talk.repMonologue,
		longestCustomerMonologue: talk.customerMonologue,
		totalComments: random.chance(0.5) ? random.whole(1, 12) : 0,
		serviceUrl: `${addresses.appUrl}/conversations/${conversationId}`,
		audioUrl: addresses.link(`/audio/${conversationId}.wav`),
		viewers: viewersOf(organization, random),
		checklists: checklistsOf(organization, row),
		aiTrackers: looseTrackers
			.filter(() => random.chance(0.5))
			.map((trackerName) => ({
				checklistName: 'General',
				trackerId: organization.trackerIds[trackerName],
				trackerName,
				...verdict(random),
			})),
		customer: customerOf(random),
		surveyResults: surveysOf(organization, random),
		...row.fields,
		...organization.linkedFields(conversationId),
	};
}

function viewersOf({ named }: Organization, random: Random) {
	const count = random.chance(0.4) ? 0 : Math.min(random.whole(1, 3), named.length);
	const start = random.whole(0, named.length - 1);
	return Array.from({ length: count }, (_, index) => {
		const { userId, name, email } = named[(start + index) % named.length];
		return {
			userId,
			name: name ?? email,
			viewCount: random.whole(1, 9),
			totalViewTimeMs: random.whole(1_000, 3_600_000),
		};
	});
}

/** A tracker's result: not evaluated (null), hit or miss without a score, or with both. */
function verdict(random: Random) {
	const isHit = random.chance(0.06) ? null : random.chance(0.6);
	const aiScore = isHit === null || random.chance(0.2) ? null : round(random.next(), 2);
	return { isHit, aiScore };
}

/** A conversation's completed evaluations (D1 § Checklist), seeded separately for use in metrics. */
function checklistsOf(organization: Organization, row: Row) {
	const random = randomOf(organization.seed, row, 6);
	const shown = random.chance(0.1) ? [] : Object.entries(checklists).filter(() => random.chance(0.7));
	return shown.map(([name, trackers]) => {
		const trackerData = trackers.map((tracker) => {
			const { isHit, aiScore } = verdict(random);
			return {
				trackerId: organization.trackerIds[tracker],
				name: tracker,
				trackerName: tracker,
				isHit,
				trackerIsHit: isHit,
				aiScore,
				trackerAiScore: aiScore,
			};
		});
		const score = trackerData.filter(({ isHit }) => isHit).length;
		return {
			name,
			checklistName: name,
			score,
			checklistScore: score,
			denominator: trackers.length,
			checklistDenominator: trackers.length,
			trackerData,
		};
	});
}

/** Score divided by denominator of each evaluation (D1 § UsersExport, averageScriptCompliance). */
export function complianceOf(organization: Organization, row: Row): number[] {
	const shown = row.fields?.checklists ?? checklistsOf(organization, row);
	return (Array.isArray(shown) ? shown : []).flatMap((checklist: unknown) => {
		// An inserted row can hold anything here.
		const { score, denominator } = Object(checklist) as { score?: unknown; denominator?: unknown };
		const isScored = typeof score === 'number' && typeof denominator === 'number' && denominator > 0;
		return isScored ? [score / denominator] : [];
	});
}

function surveysOf({ seed }: Organization, random: Random) {
	if (!random.chance(0.3)) return [];
	const data = {
		'How did it go?': random.pick(['Great', 'Fine', 'Not well']),
		'Chance of a sale': random.whole(0, 10),
		...(random.chance(0.3) ? { 'Anything else?': random.pick(paragraphs) } : {}),
	};
	return [{ surveyId: idOf(seed, 'survey', 0), surveyName: 'After the visit', data }];
}
