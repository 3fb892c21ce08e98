import { complianceOf } from '../data/conversation';
import type { Organization } from '../data/organization';
import { isCoach as coaches, type User } from '../data/people';
import { Random } from '../data/random';
import { isoOf, type Row, talkOf } from '../data/rows';
import { mean, median, round, roundOrNull } from '../statistics';
import type { Range } from './validate';

const day = 86_400_000;

const notNull = (values: ReadonlyArray<number | null>) => values.filter((value) => value !== null);

/**
 * A user's activity in the range, in the order of D1 § UsersExport. Sandbox's own choice: counts of what is not
 * exported (views, comments, clips, ride-alongs) are invented from the user and the length of the range.
 */
export function measure(organization: Organization, user: User, range: Range) {
	const key = ['metrics', user.index, range.from, range.to].join(' ');
	return organization.cached(key, () => computeMetrics(organization, user, range));
}

function computeMetrics(organization: Organization, user: User, range: Range) {
	const query = { by: 'date', from: range.from, to: range.to, users: [user] } as const;
	const talk = (row: Row) => talkOf(organization.seed, row);
	const conversations = organization.view('conversations', query);
	const others = [organization.view('awaitingUpload', query), organization.view('errored', query)];
	const talks = conversations.map(talk);
	const recordings = [...talks, ...others.flat().map(talk)];
	const recorded = recordings.length;

	const customerMonologues = talks.map(({ customerMonologue }) => customerMonologue);
	const random = new Random(organization.seed, 41, user.index);
	const days = Math.min(range.to - range.from, 1100 * day) / day;
	const isCoach = coaches(user);
	const perDay = (rate: number, who = true) => {
		const share = random.next();
		return who && user.accountSetUp ? Math.floor(days * rate * share) : 0;
	};
	const appointments = Math.floor(recorded * (0.6 + random.next() * 0.3));
	const totalAppointments = appointments + Math.floor(appointments * random.next() * 0.5);
	const rides = perDay(0.05, isCoach);
	const seen = random.next();
	return {
		analyticsViewed: perDay(2),
		appointmentsRecorded: user.records ? appointments : null,
		averageConversationDuration: roundOrNull(mean(recordings.map(({ duration }) => duration)), 2),
		averageConversationLength: roundOrNull(mean(talks.map(({ talkTime }) => talkTime)), 2),
		averageScriptCompliance: roundOrNull(
			mean(conversations.flatMap((row) => complianceOf(organization, row))),
			2,
		),
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
		lastRidealongAt: rides > 0 ? isoOf(range.from + (range.to - range.from) / 2) : null,
		longestMonologueAverage: roundOrNull(median(notNull(talks.map((each) => each.repMonologue))), 1),
		longestCustomerMonologueAverage: roundOrNull(median(notNull(customerMonologues)), 1),
		patienceAverage: roundOrNull(mean(talks.map(({ patience }) => patience)), 3),
		percentageOfRepsWithCommentsGiven: isCoach ? round(random.next(), 2) : null,
		recordingCompliance: totalAppointments > 0 ? round(appointments / totalAppointments, 2) : null,
		ridealongsReceived: perDay(0.05, !isCoach),
		scorecardsReceived: perDay(0.1, !isCoach),
		scorecardsGiven: perDay(0.4, isCoach),
		talkRatioAverage: roundOrNull(mean(notNull(talks.map(({ ratio }) => ratio))), 2),
		totalAppointments,
		totalEndOfRidealongsReached: Math.floor(rides * 0.8),
		totalRidealongsCompleted: rides,
		viewedRecordedRatio: recorded > 0 && seen > 0.1 ? round(seen, 2) : null,
	};
}

export type Metrics = ReturnType<typeof measure>;
