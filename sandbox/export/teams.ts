import type { Organization } from '../data/organization';
import { isWithin, type Team, type User } from '../data/people';
import { mean, round, roundOrNull } from '../statistics';
import { measure, type Metrics } from './metrics';
import type { Range } from './validate';

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
