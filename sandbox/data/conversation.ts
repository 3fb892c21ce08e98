import { idOf } from './ids';
import type { Organization } from './organization';
import { checklistsOf, verdict } from './checklists';
import type { Random } from './random';
import { buildRecording, customerOf, randomOf, type Row, talkOf } from './rows';
import { looseTrackers, paragraphs } from './words';

/** Makes the two temporary links of a conversation. */
export type LinkMaker = (path: string) => string;

export interface Addresses {
	appUrl: string;
	link: LinkMaker;
}

/** The 28 fields of a ConversationsExport, in the document's order (D1 § ConversationsExport). */
export function buildConversation(organization: Organization, row: Row, addresses: Addresses) {
	const random = randomOf(organization, row, 4);
	const conversationId = idOf(organization.seed, 'conversation', row.index);
	const talk = talkOf(organization, row);
	const recording = buildRecording(organization, row);
	return {
		conversationId,
		recordingId: recording.recordingId,
		date: recording.date,
		processedDate: new Date(row.processedDate ?? row.date).toISOString(),
		title: recording.title,
		duration: recording.duration,
		crmEventID: recording.crmEventID,
		user: recording.user,
		transcriptUrl: addresses.link(`/transcripts/${conversationId}.json`),
		jobNumber: recording.jobNumber,
		stLink: recording.stLink,
		totalSold: recording.totalSold,
		outcome: recording.outcome,
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
		aiTrackers: aiTrackersOf(organization, random),
		customFields: recording.customFields,
		customer: customerOf(random),
		surveyResults: surveysOf(organization, random),
		...row.fields,
		...organization.linkedFields(conversationId),
	};
}

export type Conversation = ReturnType<typeof buildConversation>;

function viewersOf(organization: Organization, random: Random) {
	const viewers: Array<{ userId: string; name: string; viewCount: number; totalViewTimeMs: number }> = [];
	const count = random.chance(0.4) ? 0 : random.whole(1, 3);
	const start = random.whole(0, organization.named.length - 1);
	for (let index = 0; index < Math.min(count, organization.named.length); index++) {
		const user = organization.named[(start + index) % organization.named.length];
		viewers.push({
			userId: user.userId,
			name: user.name ?? user.email,
			viewCount: random.whole(1, 9),
			totalViewTimeMs: random.whole(1_000, 3_600_000),
		});
	}
	return viewers;
}

function aiTrackersOf(organization: Organization, random: Random) {
	return looseTrackers
		.filter(() => random.chance(0.5))
		.map((trackerName) => ({
			checklistName: 'General',
			trackerId: organization.trackerId(trackerName),
			trackerName,
			...verdict(random),
		}));
}

function surveysOf(organization: Organization, random: Random) {
	if (!random.chance(0.3)) return [];
	return [
		{
			surveyId: idOf(organization.seed, 'survey', 0),
			surveyName: 'After the visit',
			data: {
				'How did it go?': random.pick(['Great', 'Fine', 'Not well']),
				'Chance of a sale': random.whole(0, 10),
				...(random.chance(0.3) ? { 'Anything else?': random.pick(paragraphs) } : {}),
			},
		},
	];
}
