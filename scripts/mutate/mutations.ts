/** A small edit of the sandbox that breaks one rule of the documents. */
export interface Mutation {
	/** The rule that is broken; a test whose title names it must fail. */
	rule: string;
	what: string;
	/** From the repository's root. */
	file: string;
	/** Occurs exactly once in the file. */
	find: string;
	replace: string;
}

export const mutations: Mutation[] = [
	{
		rule: 'D1-EXP-03',
		what: 'totalPages counts the conversations only',
		file: 'sandbox/export/routes.ts',
		find: 'Math.max(conversations.total, errored.total, awaiting?.total ?? 0)',
		replace: 'conversations.total',
	},
	{
		rule: 'D1-EXP-04',
		what: 'awaitingUpload stays with processedDate',
		file: 'sandbox/export/routes.ts',
		find: "range.by === 'date' ? organization.view('awaitingUpload', query) : undefined",
		replace: "organization.view('awaitingUpload', query)",
	},
	{
		rule: 'D1-EXP-05',
		what: 'no fallback for a team-scoped key',
		file: 'sandbox/export/routes.ts',
		find: 'matched.length === 0 && scope.isTeamScoped ? scope.users : matched',
		replace: 'matched',
	},
	{
		rule: 'D1-EXPBODY-02',
		what: 'the end of the range is excluded',
		file: 'sandbox/data/view.ts',
		find: 'timeline.firstRow(at, query.to, false)',
		replace: 'timeline.firstRow(at, query.to, true)',
	},
	{
		rule: 'D1-EXPBODY-05',
		what: 'limit 51 is taken',
		file: 'sandbox/export/validate.ts',
		find: "wholeNumber(object, 'limit', mostPerPage, mostPerPage)",
		replace: "wholeNumber(object, 'limit', mostPerPage, mostPerPage + 1)",
	},
	{
		rule: 'D1-EXPBODY-06',
		what: 'the users filter ignores case',
		file: 'sandbox/export/routes.ts',
		find: 'new Set(emails);\n\tconst matched = scope.users.filter((user) => wanted.has(user.email));',
		replace:
			'new Set(emails.map((email) => email.toLowerCase()));\n\tconst matched = scope.users.filter((user) => wanted.has(user.email.toLowerCase()));',
	},
	{
		rule: 'D1-GET-04',
		what: 'a team-scoped key reads any conversation',
		file: 'sandbox/export/routes.ts',
		find: 'if (!row || !users.includes(row.user))',
		replace: 'if (!row || users.length < 0)',
	},
	{
		rule: 'D1-AUTH-01',
		what: 'a Bearer prefix is tolerated',
		file: 'sandbox/export/routes.ts',
		find: "keyRing.scopeOf(rawHeader(request.raw, 'authorization'))",
		replace: "keyRing.scopeOf(rawHeader(request.raw, 'authorization')?.replace(/^Bearer /, ''))",
	},
	{
		rule: 'D1-TEAMS-02',
		what: 'removed users count as members',
		file: 'sandbox/export/teams.ts',
		find: '!user.isHidden && !user.isRemoved',
		replace: '!user.isHidden',
	},
	{
		rule: 'D1-TEAMS-03',
		what: 'includeSubteams hides the rows of subteams',
		file: 'sandbox/export/teams.ts',
		find: 'return teams.map((team) => {',
		replace: 'return teams.filter((team) => !includeSubteams || !team.parent).map((team) => {',
	},
	{
		rule: 'D1-USER-07',
		what: 'a user without teams has an empty list',
		file: 'sandbox/export/users.ts',
		find: 'user.teams.map(({ teamId, name }) => ({ teamId, name })) : null',
		replace: 'user.teams.map(({ teamId, name }) => ({ teamId, name })) : []',
	},
	{
		rule: 'D1-USER-09',
		what: 'a rep without a recording has been active',
		file: 'sandbox/export/users.ts',
		find: '...(isCoach(user) ? inProduct : [])',
		replace: '...inProduct',
	},
	{
		rule: 'D1-USER-09',
		what: 'who is no rep is active only while recording',
		file: 'sandbox/export/users.ts',
		find: '...(isCoach(user) ? inProduct : [])',
		replace: '...(isCoach(user) ? [] : [])',
	},
	{
		rule: 'D1-USER-15',
		what: 'script compliance is the share of evaluations with a hit',
		file: 'sandbox/data/checklists.ts',
		find: '[score / denominator]',
		replace: '[Math.sign(score)]',
	},
	{
		rule: 'D1-USERBODY-06',
		what: 'live coaching includes the end of the range',
		file: 'sandbox/export/users.ts',
		find: 'Math.ceil((Math.min(time, organization.lastMoment) - start) / pause)',
		replace: 'Math.floor((Math.min(time, organization.lastMoment) - start) / pause) + 1',
	},
	{
		rule: 'D1-TEAMBODY-02',
		what: 'team metrics exclude the end of the range',
		file: 'sandbox/export/metrics.ts',
		find: 'to: range.to, users: [user]',
		replace: 'to: range.to - 1, users: [user]',
	},
	{
		rule: 'D1-CONV-20',
		what: 'a documented field goes missing',
		file: 'sandbox/data/conversation.ts',
		find: 'totalComments: random.chance(0.5) ? random.whole(1, 12) : 0,',
		replace: '',
	},
	{
		rule: 'D1-LIM-03',
		what: 'presigned links never expire',
		file: 'sandbox/media/links.ts',
		find: "Date.now() > expires ? 'expired' : 'valid'",
		replace: "'valid'",
	},
];
