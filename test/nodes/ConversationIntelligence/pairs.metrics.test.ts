import type { IDataObject } from 'n8n-workflow';
import { tables } from '../../../scripts/apiReference';
import { allPairs } from '../../support/allPairs';
import { scriptedExport } from './listing';
import * as oracle from './pairsOracle';
import { before, inWords, nowIn, RANGES, usersOf, utc, type Period } from './pairsOracle';
import { ANA, BEN, DORA, GHOST, MEMBERSHIPS, METRICS, metricsOf, NOW, serve } from './pairsService';

const KINDS = {
	user: {
		table: 'UsersExport',
		list: 'users',
		id: 'userId',
		simplified:
			'userId name email isRemoved role teamNames averageScriptCompliance conversationsRecorded recordingCompliance talkRatioAverage totalAppointments',
		selected: ['teams', 'talkRatioAverage', 'name', 'liveCoaching'],
		filters: [
			...[{}, { users: [ANA, DORA] }, { users: [BEN, GHOST] }, { users: [GHOST] }, { activeOnly: true }],
			...[{ teams: ['t1'] }, { teams: ['South'], users: [ANA, BEN] }, { role: 'owner, "Rep, senior"' }],
			{ teams: ['South', 't1'], activeOnly: true },
		],
	},
	team: {
		table: 'TeamsExport',
		list: 'teams',
		id: 'teamId',
		simplified:
			'name teamId parentTeamName appointmentsRecorded conversationsRecorded recordingCompliance talkRatioAverage totalAppointments totalUsersWhoRecorded totalUsers',
		selected: ['parentTeamId', 'talkRatioAverage', 'name'],
		filters: [
			{},
			{ teams: ['t1', 'South', 'None'] },
			{ includeSubteams: true },
			{ teams: ['t3'], includeSubteams: true },
		],
	},
} as const;

const FACTORS = {
	range: [
		...['yesterday', 'last7Days', 'thisWeek', 'weekBeforeLast', 'thisMonth', 'lastMonth'],
		...['days', 'moments', 'open'],
	],
	zone: ['Europe/Berlin', 'America/New_York', 'Asia/Kathmandu'],
	splitBy: ['none', 'day', 'week', 'month'],
	compareWith: ['none', 'previousPeriod'],
	output: ['simplified', 'raw', 'selectedFields'],
	outputAs: ['items', 'ndjson', 'csv', 'csvForExcel'],
} as const;

type Choice = ReturnType<typeof allPairs<typeof FACTORS>>[number] & { filters: IDataObject };

const rangeOf = ([from, to]: Period) => ({ fromDate: utc(from), toDate: utc(to) });

const { server, engine, run } = scriptedExport();

beforeEach(() => {
	jest.spyOn(Date, 'now').mockReturnValue(NOW);
	serve(server);
});

/** The fields of each row, and its rows, by the calendar and the service's figures alone. */
function expected(kind: keyof typeof KINDS, { range, zone, splitBy, compareWith, output, filters }: Choice) {
	const { table, list, id, simplified, selected } = KINDS[kind];
	const all = tables[table].map(({ name }) => name);
	const chosen = { raw: all, simplified: simplified.split(' '), selectedFields: [...selected] }[output];
	const { unit, dates } = RANGES[range];
	const whole = dates(nowIn(zone));
	const periods = splitBy === 'none' ? [whole] : oracle.split(whole, splitBy);
	const isCompared = compareWith !== 'none';
	const compared = isCompared ? chosen.filter((name) => METRICS[list].includes(name)) : [];
	const { teams, includeSubteams } = filters as { teams?: string[]; includeSubteams?: boolean };
	const users = kind === 'user' ? usersOf(filters) : undefined;
	const figuresOf = (period: Period) => metricsOf(list, { ...rangeOf(period), users, includeSubteams });
	const isWanted = (row: IDataObject) =>
		kind === 'team'
			? !teams || oracle.isOneOf(teams, row)
			: oracle.passes({ ...filters, users: users ?? [row.email] }, row);
	const rows = periods.flatMap((period) => {
		const earlier = isCompared ? figuresOf(before(period, splitBy === 'none' ? unit : splitBy)) : [];
		return figuresOf(period)
			.filter(isWanted)
			.map((row) => {
				const old = earlier.find((one) => one[id] === row[id]);
				const changes = compared.map((name) => {
					const [value, was] = [row[name], old?.[name] ?? null] as Array<number | null>;
					const change = value === null || was === null ? null : Math.round((value - was) * 1e4) / 1e4;
					return { [`${name}Previous`]: was, [`${name}Change`]: change };
				});
				const kept = [...chosen, id].map((name) => [name, oracle.valueOf(row, name)]);
				const json: object = output === 'raw' ? row : Object.fromEntries(kept);
				return { ...json, ...rangeOf(period), ...Object.assign({}, ...changes) } as IDataObject;
			});
	});
	const added = ['fromDate', 'toDate', ...compared.flatMap((name) => [`${name}Previous`, `${name}Change`])];
	const sent = periods.flatMap(figuresOf).length;
	const fields = [...oracle.inOrder([...new Set([...chosen, id])], table), ...added];
	return { rows, sent, fields, periods, whole };
}

async function expectRows(kind: keyof typeof KINDS, choice: Choice) {
	const { range, zone, splitBy, compareWith, output, outputAs, filters } = choice;
	const { table, selected } = KINDS[kind];
	const { items, error, hints } = await run(
		{
			...{ resource: kind, operation: 'getAll', ...RANGES[range].parameters },
			...{ splitBy, compareWith, output, filters, fields: selected },
			...(outputAs === 'items' ? { outputAs } : { outputAs: 'file', fileFormat: outputAs }),
		},
		{ timezone: zone },
	);
	expect(error).toBeUndefined();
	const { rows, fields, periods, whole, sent } = expected(kind, choice);
	if (outputAs === 'items') expect(items.map(({ json }) => json)).toEqual(rows);
	else {
		const text = (await engine.binary(items[0].binary!.data)).toString();
		const options = { isExcel: outputAs === 'csvForExcel', hasOthers: output === 'raw' };
		if (outputAs === 'ndjson') expect(oracle.rowsIn(text)).toEqual(rows);
		else expect(text).toBe(oracle.csv(rows, table, fields, options));
		// Once it is clear that no user was found, nothing more is read.
		const complete = String(filters.users) !== GHOST;
		const total = rows.length > 0 && { [kind === 'user' ? 'totalUsers' : 'totalTeams']: sent };
		expect(items[0].json).toMatchObject({ rows: rows.length, ...total, ...rangeOf(whole), complete });
	}
	// A period can be the one before another, and is asked for once. Who is in a team is asked for besides.
	const asked = server.seen.map(({ body }) => `${String(body?.fromDate)} ${String(body?.toDate)}`);
	const unit = splitBy === 'none' ? RANGES[range].unit : splitBy;
	const all = compareWith === 'none' ? periods : periods.flatMap((one) => [one, before(one, unit)]);
	const needed = new Set(all.map((period) => Object.values(rangeOf(period)).join(' ')));
	const isOfTeam = kind === 'user' && filters.teams !== undefined;
	expect(asked.slice(isOfTeam ? 2 : 0).sort()).toEqual([...needed].sort());

	const messages = hints.map(({ message }) => message).join('\n');
	const isCompared = compareWith !== 'none' && periods.length === 1;
	const other = isCompared
		? `, compared with ${inWords(before(whole, splitBy === 'none' ? RANGES[range].unit : splitBy))}`
		: '';
	if (rows.length === 0) return;
	expect(messages).toContain(`Figures from ${inWords(whole)}${other} (${zone}).`);
	const { users = [], teams } = filters as { users?: string[]; teams?: string[] };
	const idOf = (email: string) => `u${Object.keys(MEMBERSHIPS).indexOf(email) + 1}`;
	const isMissing = (email: string) => !teams && !rows.some(({ userId }) => userId === idOf(email));
	expect(/^No users for "(.*)"\. Check/m.exec(messages)?.[1]).toBe(users.find(isMissing));
	expect(/sees no team [^.]*"None"/.test(messages)).toBe(teams?.includes('None') ?? false);
}

/** Each pair of options, and each option with each filter: 120 runs, 6 s. */
describe.each(['user', 'team'] as const)('metrics of a %s', (kind) => {
	const choices = allPairs({ ...FACTORS, filters: KINDS[kind].filters }) as Choice[];
	// D1-TEAM-01..30, D1-USER-01, D1-USER-03..04, D1-USER-06..41, D1-MEMBER-01..02, D1-COACH-01..08
	test.each(choices.map((choice) => [JSON.stringify(choice), choice] as const))(
		'%s',
		async (_text, choice) => {
			await expectRows(kind, choice);
		},
	);
});

const CHOICE = {
	...{ range: 'thisMonth', zone: 'Europe/Berlin', splitBy: 'none', compareWith: 'none' },
	...{ output: 'raw', outputAs: 'items', filters: {} },
} as Choice;

test.each<[string, Partial<Choice>]>([
	['This Month with Split By Week reads the weeks of the month, the last one until now', { splitBy: 'week' }],
	[
		'the last day of Split By Day is compared with as much of the day before, not with all of it',
		{ splitBy: 'day', compareWith: 'previousPeriod' },
	],
])('%s', async (_claim, choice) => {
	await expectRows('user', { ...CHOICE, ...choice });
});

test.each([
	['user', 'talkRatioAverage'],
	['user', 'conversationsRecorded'],
	['team', 'clipsCreated'],
] as const)(
	'%s rows of each period are sorted by %s, highest first, without a value last',
	async (resource, sortBy) => {
		const list = { resource, ...RANGES.days.parameters, splitBy: 'week', output: 'raw' };
		const rowsOf = async (parameters: object) =>
			(await run({ ...list, ...parameters })).items.map(({ json }) => json);
		const [sorted, listed] = [await rowsOf({ sortBy }), await rowsOf({})];
		expect(sorted.map((row) => JSON.stringify(row)).sort()).toEqual(
			listed.map((row) => JSON.stringify(row)).sort(),
		);
		const keyOf = (row: IDataObject) => (typeof row[sortBy] === 'number' ? -row[sortBy] : Infinity);
		expect(sorted.map(keyOf)).toContain(Infinity);
		const inOrder = listed.toSorted((one, other) =>
			one.fromDate === other.fromDate
				? keyOf(one) - keyOf(other) || 0
				: one.fromDate! < other.fromDate!
					? -1
					: 1,
		);
		expect(sorted).toEqual(inOrder);
	},
);
