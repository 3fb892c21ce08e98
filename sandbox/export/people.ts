import type { Organization } from '../data/organization';
import { isCoach, isWithin, type Team, type User } from '../data/people';
import { Random } from '../data/random';
import { arrayNames, isoOf } from '../data/rows';
import { mean, round, roundOrNull } from '../statistics';
import { measure, type Metrics } from './metrics';
import type { Range } from './validate';

const day = 86_400_000;

/** A user, in the documented order (D1 § UsersExport). */
export function buildUser(organization: Organization, user: User, range: Range) {
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
		...measure(organization, user, range),
		liveCoaching: liveCoaching(organization, user, range),
	};
}

/**
 * First recording and last activity, regardless of the range (D1 § UsersExport, lastActive): a rep's latest
 * recording, or another role's latest product activity. Sandbox's own choice: that activity is invented,
 * within the last 20 days of the data, and recordings count, too.
 */
function activity(organization: Organization, user: User) {
	const query = { by: 'date', from: -8e15, to: 8e15, users: [user] } as const;
	const views = arrayNames.map((array) => organization.view(array, query)).filter((view) => view.length > 0);
	const recordings = views.flatMap((view) => [view[0].date, view[view.length - 1].date]);
	const random = new Random(organization.seed, 31, user.index);
	const inProduct = user.accountSetUp ? [organization.lastMoment - random.whole(0, 20 * day)] : [];
	const finite = (time: number) => (Number.isFinite(time) ? isoOf(time) : null);
	return {
		first: finite(Math.min(...recordings)),
		last: finite(Math.max(...recordings, ...(isCoach(user) ? inProduct : []))),
	};
}

/**
 * The 8 fields of LiveCoachingMetrics. Sandbox's own choice: half of the reps host viewed sessions at a fixed
 * interval, regardless of the range.
 */
function liveCoaching(organization: Organization, user: User, range: Range) {
	const random = new Random(organization.seed, 37, user.index);
	const hosts = user.records && random.chance(0.5);
	const pause = random.whole(5 * day, 40 * day);
	const start = organization.firstMoment + random.whole(0, pause);
	/** The number of sessions before a time, exclusive. */
	const before = (time: number) =>
		hosts ? Math.max(0, Math.ceil((Math.min(time, organization.lastMoment) - start) / pause)) : 0;
	const sessions = before(range.to) - before(range.from);
	const views = sessions * random.whole(1, 3);
	return {
		sessionsHosted: sessions,
		viewEventsReceived: views,
		uniqueViewers: Math.min(views, random.whole(1, 4)),
		viewDurationMinutes: views * random.whole(3, 12),
		commentsReceived: sessions * random.whole(0, 2),
		uniqueCommenters: sessions > 0 ? 1 : 0,
		moneySaved: sessions * random.whole(0, 500),
		lastCoachedAt: sessions > 0 ? isoOf(start + (before(range.to) - 1) * pause) : null,
	};
}

type NumberField = {
	[Name in keyof Metrics]: Metrics[Name] extends number | null ? Name : never;
}[keyof Metrics];

/**
 * The teams' rows (D1 § TeamsExport). Members are current, active, visible users; `includeSubteams` adds
 * those of descendant teams without removing a row.
 */
export function buildTeams(
	organization: Organization,
	teams: readonly Team[],
	range: Range,
	includeSubteams: boolean,
) {
	const metricsOf = (user: User) => measure(organization, user, range);
	const active = organization.users.filter((user) => !user.isHidden && !user.isRemoved);
	return teams.map((team) => {
		const counts = (other: Team) => (includeSubteams ? isWithin(other, team) : other === team);
		return buildTeam(team, active.filter((user) => user.teams.some(counts)).map(metricsOf));
	});
}

/** A team, in the documented order (D1 § TeamsExport). */
function buildTeam(team: Team, members: readonly Metrics[]) {
	const sum = (field: NumberField) => members.reduce((total, member) => total + (member[field] ?? 0), 0);
	const average = (field: NumberField, digits: number) =>
		roundOrNull(mean(members.map((member) => member[field]).filter((value) => value !== null)), digits);
	const appointments = sum('totalAppointments');
	return {
		name: team.name,
		teamId: team.teamId,
		externalTeamId: team.externalTeamId,
		parentTeamId: team.parent?.teamId ?? null,
		parentTeamName: team.parent?.name ?? null,
		analyticsViewed: sum('analyticsViewed'),
		appointmentsRecorded: sum('appointmentsRecorded'),
		averageConversationDuration: average('averageConversationDuration', 2),
		averageConversationLength: average('averageConversationLength', 2),
		clipCommentsGiven: sum('clipCommentsGiven'),
		clipsCreated: sum('clipsCreated'),
		clipViewDuration: sum('clipViewDuration'),
		commentsGiven: sum('commentsGiven'),
		commentsRead: sum('commentsRead'),
		commentsReceived: sum('commentsReceived'),
		conversationViewDuration: sum('conversationViewDuration'),
		conversationsCommentedOn: sum('conversationsCommentedOn'),
		conversationsRecorded: sum('conversationsRecorded'),
		conversationsViewed: sum('conversationsViewed'),
		longestCustomerMonologueAverage: average('longestCustomerMonologueAverage', 1),
		longestMonologueAverage: average('longestMonologueAverage', 1),
		patienceAverage: average('patienceAverage', 3),
		recordingCompliance: appointments > 0 ? round(sum('appointmentsRecorded') / appointments, 2) : null,
		ridealongsReceived: sum('ridealongsReceived'),
		scorecardsGiven: sum('scorecardsGiven'),
		scorecardsReceived: sum('scorecardsReceived'),
		talkRatioAverage: average('talkRatioAverage', 2),
		totalAppointments: appointments,
		totalUsersWhoRecorded: members.filter((member) => member.conversationsRecorded > 0).length,
		totalUsers: members.length,
	};
}
