import type { Organization } from '../data/organization';
import type { User } from '../data/people';
import { Random } from '../data/random';
import { measure, type Metrics } from './metrics';
import type { Range } from './validate';

const day = 86_400_000;

/** The 41 fields of a UsersExport, in the document's order (D1 § UsersExport). */
export function buildUser(organization: Organization, user: User, range: Range) {
	const metrics = measure(organization, user, range);
	const always = activity(organization, user);
	return {
		userId: user.userId,
		name: user.name,
		email: user.email,
		accountSetUp: user.accountSetUp,
		isRemoved: user.isRemoved,
		role: user.role,
		teams: user.teams.length ? user.teams.map(({ teamId, name }) => ({ teamId, name })) : null,
		timeOfFirstRecording: always.first,
		lastActive: always.last,
		hasVoiceId: user.hasVoiceId,
		analyticsViewed: metrics.analyticsViewed,
		appointmentsRecorded: user.recorder === undefined ? null : metrics.appointmentsRecorded,
		averageConversationDuration: metrics.averageConversationDuration,
		averageConversationLength: metrics.averageConversationLength,
		averageScriptCompliance: metrics.averageScriptCompliance,
		averageTimePerRidealong: metrics.averageTimePerRidealong,
		clipCommentsGiven: metrics.clipCommentsGiven,
		clipsCreated: metrics.clipsCreated,
		clipViewDuration: metrics.clipViewDuration,
		commentsReceived: metrics.commentsReceived,
		commentsRead: metrics.commentsRead,
		commentsGiven: metrics.commentsGiven,
		conversationsCommentedOn: metrics.conversationsCommentedOn,
		conversationsRecorded: metrics.conversationsRecorded,
		conversationsViewed: metrics.conversationsViewed,
		conversationViewDuration: metrics.conversationViewDuration,
		lastRidealongAt: metrics.lastRidealongAt,
		longestMonologueAverage: metrics.longestMonologueAverage,
		longestCustomerMonologueAverage: metrics.longestCustomerMonologueAverage,
		patienceAverage: metrics.patienceAverage,
		percentageOfRepsWithCommentsGiven: metrics.percentageOfRepsWithCommentsGiven,
		recordingCompliance: metrics.recordingCompliance,
		ridealongsReceived: metrics.ridealongsReceived,
		scorecardsReceived: metrics.scorecardsReceived,
		scorecardsGiven: metrics.scorecardsGiven,
		talkRatioAverage: metrics.talkRatioAverage,
		totalAppointments: metrics.totalAppointments,
		totalEndOfRidealongsReached: metrics.totalEndOfRidealongsReached,
		totalRidealongsCompleted: metrics.totalRidealongsCompleted,
		viewedRecordedRatio: metrics.viewedRecordedRatio,
		liveCoaching: liveCoaching(organization, user, range, metrics),
	};
}

/** First and last activity over all time, whatever the range. */
function activity(organization: Organization, user: User): { first: string | null; last: string | null } {
	const query = { by: 'date', from: -8e15, to: 8e15, users: [user] } as const;
	const views = (['conversations', 'awaitingUpload', 'errored'] as const)
		.map((array) => organization.view(array, query))
		.filter((view) => view.total > 0);
	const ends = views.flatMap((view) => [view.at(0).date, view.at(view.total - 1).date]);
	if (ends.length === 0) {
		const random = new Random(organization.seed, 31, user.index);
		const seen = user.accountSetUp ? organization.lastMoment - random.whole(0, 20 * day) : undefined;
		return { first: null, last: seen === undefined ? null : new Date(seen).toISOString() };
	}
	return {
		first: new Date(Math.min(...ends)).toISOString(),
		last: new Date(Math.max(...ends)).toISOString(),
	};
}

/** The 8 fields of LiveCoachingMetrics. */
function liveCoaching(organization: Organization, user: User, range: Range, metrics: Metrics) {
	const random = new Random(organization.seed, 37, user.index);
	const sessions = random.chance(0.5) ? Math.floor(metrics.conversationsRecorded / 20) : 0;
	const views = sessions * random.whole(1, 3);
	// The document says that live coaching excludes the end of the range.
	const last =
		Math.min(range.to - 1, organization.lastMoment) -
		random.whole(0, Math.min(day, range.to - range.from - 1));
	return {
		sessionsHosted: sessions,
		viewEventsReceived: views,
		uniqueViewers: Math.min(views, random.whole(1, 4)),
		viewDurationMinutes: views * random.whole(3, 12),
		commentsReceived: sessions * random.whole(0, 2),
		uniqueCommenters: sessions > 0 ? 1 : 0,
		moneySaved: sessions * random.whole(0, 500),
		lastCoachedAt: sessions > 0 ? new Date(last).toISOString() : null,
	};
}
