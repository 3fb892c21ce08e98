import type { Organization } from '../data/organization';
import { complianceOf } from '../data/checklists';
import { isCoach as coaches, type User } from '../data/people';
import { Random } from '../data/random';
import { talkOf } from '../data/rows';
import type { View } from '../data/view';
import { mean, median, round, roundOrNull } from '../statistics';
import type { Range } from './validate';

const day = 86_400_000;
const [leastSample, mostSample, sampleBudget] = [5, 200, 8000];

const notNull = (values: ReadonlyArray<number | null>) => values.filter((value) => value !== null);

/** Rows spread evenly over a view; all of them while there are few. */
function sample(view: View, most: number) {
	const count = Math.min(view.total, most);
	return Array.from({ length: count }, (_, index) => view.at(Math.floor((index * view.total) / count)));
}

/**
 * What one user did in the range. Counts of recordings are exact. Sandbox's own choice: averages are taken
 * over up to 200 of the user's rows, and counts of things that are not exported (views, comments, clips,
 * ride-alongs) are made up from the user and the length of the range.
 */
export function measure(organization: Organization, user: User, range: Range) {
	const query = { by: 'date', from: range.from, to: range.to, users: [user] } as const;
	const most = Math.min(
		mostSample,
		Math.max(leastSample, Math.floor(sampleBudget / organization.users.length)),
	);
	const conversations = organization.view('conversations', query);
	const awaiting = organization.view('awaitingUpload', query);
	const errored = organization.view('errored', query);
	const rows = sample(conversations, most);
	const talks = rows.map((row) => talkOf(organization, row));
	const others = [awaiting, errored].flatMap((view) => sample(view, most));
	const durations = [...talks, ...others.map((row) => talkOf(organization, row))].map(
		(talk) => talk.duration,
	);
	const recorded = conversations.total + awaiting.total + errored.total;

	const random = new Random(organization.seed, 41, user.index);
	const days = Math.min(range.to - range.from, 1100 * day) / day;
	const isCoach = coaches(user);
	const perDay = (rate: number, who = true) => {
		const share = random.next();
		return who && user.accountSetUp ? Math.floor(days * rate * share) : 0;
	};
	const appointmentsRecorded = Math.floor(recorded * (0.6 + random.next() * 0.3));
	const missed = Math.floor(appointmentsRecorded * random.next() * 0.5);
	const totalAppointments = appointmentsRecorded + missed;
	const rides = perDay(0.05, isCoach);
	const seen = random.next();
	return {
		hasRecorded: recorded > 0,
		analyticsViewed: perDay(2),
		appointmentsRecorded,
		averageConversationDuration: roundOrNull(mean(durations), 2),
		averageConversationLength: roundOrNull(mean(talks.map((talk) => talk.talkTime)), 2),
		averageScriptCompliance: roundOrNull(mean(rows.flatMap((row) => complianceOf(organization, row))), 2),
		averageTimePerRidealong: rides > 0 ? random.whole(600, 5400) : null,
		clipCommentsGiven: perDay(0.2, isCoach),
		clipsCreated: perDay(0.3),
		clipViewDuration: perDay(60),
		commentsReceived: recorded > 0 ? perDay(0.8) : 0,
		commentsRead: perDay(0.6),
		commentsGiven: perDay(1.5, isCoach),
		conversationsCommentedOn: perDay(0.7, isCoach),
		conversationsRecorded: recorded,
		conversationsViewed: perDay(3),
		conversationViewDuration: perDay(1800),
		lastRidealongAt: rides > 0 ? new Date(range.from + (range.to - range.from) / 2).toISOString() : null,
		longestMonologueAverage: roundOrNull(median(notNull(talks.map((talk) => talk.repMonologue))), 1),
		longestCustomerMonologueAverage: roundOrNull(
			median(notNull(talks.map((talk) => talk.customerMonologue))),
			1,
		),
		patienceAverage: roundOrNull(mean(talks.map((talk) => talk.patience)), 3),
		percentageOfRepsWithCommentsGiven: isCoach ? round(random.next(), 2) : null,
		recordingCompliance: totalAppointments > 0 ? round(appointmentsRecorded / totalAppointments, 2) : null,
		ridealongsReceived: perDay(0.05, !isCoach),
		scorecardsReceived: perDay(0.1, !isCoach),
		scorecardsGiven: perDay(0.4, isCoach),
		talkRatioAverage: roundOrNull(mean(notNull(talks.map((talk) => talk.ratio))), 2),
		totalAppointments,
		totalEndOfRidealongsReached: Math.floor(rides * 0.8),
		totalRidealongsCompleted: rides,
		viewedRecordedRatio: recorded > 0 && seen > 0.1 ? round(seen, 2) : null,
	};
}

export type Metrics = ReturnType<typeof measure>;
