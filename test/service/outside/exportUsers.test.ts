import { allRows, exportPost, listAll, shifted, users } from '../support/http';
import { useService } from '../support/service';

const service = useService({ conversations: 1000, awaitingUpload: 30, errored: 20 });
const nobody = 'nobody.at.all@example.invalid';
const beforeTime = { fromDate: '1990-01-01T00:00:00Z', toDate: '1990-01-02T00:00:00Z' };

// D1-USERS-01, D1-USERBODY-05, D1-LIM-08
test('returns one row per user in one response', async () => {
	const rows = await users(service);
	expect(new Set(rows.map((user) => user.userId)).size).toBe(rows.length);
	const { json } = await exportPost(service, 'users', {});
	expect(Object.keys(json as object)).toEqual(['users']);
});

// D1-USERS-01
test('returns an empty array when nobody matches', async () => {
	expect((await exportPost(service, 'users', { users: [nobody] })).json).toEqual({ users: [] });
});

// D1-USERBODY-03
test('the filter is exact and case-sensitive, and means all users when omitted or empty', async () => {
	const all = await users(service);
	const { email } = all[1];
	expect((await users(service, { users: [email] })).map((user) => user.email)).toEqual([email]);
	expect(await users(service, { users: [email.toUpperCase()] })).toEqual([]);
	expect(await users(service, { users: [] })).toHaveLength(all.length);
});

// D1-USERBODY-04
test('a team-scoped key gets all allowed users if its filter matches nobody', async () => {
	const { team } = service.keys;
	const allowed = await users(service, {}, team);
	expect(allowed.length).toBeLessThan((await users(service)).length);
	const ids = (rows: typeof allowed) => rows.map((user) => user.userId);
	expect(ids(await users(service, { users: [nobody] }, team))).toEqual(ids(allowed));
	expect(ids(await users(service, { users: [allowed[0].email, nobody] }, team))).toEqual([allowed[0].userId]);
});

// D1-USERS-03
test('returns removed users', async () => {
	expect((await users(service)).some((user) => user.isRemoved)).toBe(true);
});

// D1-USERS-04, D1-USER-08..09
test('identity, teams, first recording and lastActive do not depend on the range', async () => {
	const [wide, empty] = [await users(service), await users(service, beforeTime)];
	const always = (rows: typeof wide) =>
		rows.map(({ userId, name, email, role, teams, timeOfFirstRecording, lastActive }) => ({
			...{ userId, name, email, role, teams, timeOfFirstRecording, lastActive },
		}));
	expect(always(empty)).toEqual(always(wide));
	expect(empty.every((user) => user.conversationsRecorded === 0)).toBe(true);
});

// D1-USER-07
test('teams are sorted by name, and null instead of empty', async () => {
	const rows = await users(service);
	for (const { teams } of rows) {
		if (teams === null) continue;
		const names = teams.map((team) => team.name);
		expect(names.length).toBeGreaterThan(0);
		expect(names).toEqual([...names].sort());
	}
	expect(rows.some((user) => user.teams === null)).toBe(true);
	expect(rows.some((user) => (user.teams?.length ?? 0) > 1)).toBe(true);
});

// D1-USER-24
test('each recording in the range counts once, even without a conversation', async () => {
	const rows = await allRows(service);
	for (const user of await users(service)) {
		const recordings = new Set(
			rows.filter((row) => row.user.id === user.userId).map((row) => row.recordingId),
		);
		expect(user).toMatchObject({ conversationsRecorded: recordings.size });
	}
});

// D1-USER-08
test('timeOfFirstRecording is the date of the user’s first recording', async () => {
	const rows = await allRows(service);
	for (const user of await users(service)) {
		const dates = rows.filter((row) => row.user.id === user.userId).map((row) => Date.parse(row.date));
		if (dates.length > 0) expect(Date.parse(user.timeOfFirstRecording ?? '')).toBe(Math.min(...dates));
	}
});

// D1-USER-28..29
test('the longest monologues are medians, not means', async () => {
	const rows = (await listAll(service)).flatMap((page) => page.conversations);
	const median = (values: number[]) => {
		const sorted = [...values].sort((a, b) => a - b);
		const middle = Math.floor(sorted.length / 2);
		return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
	};
	for (const user of await users(service)) {
		const own = rows.filter((row) => row.user.id === user.userId);
		const rep = own.flatMap((row) => row.longestRepMonologue ?? []);
		const customer = own.flatMap((row) => row.longestCustomerMonologue ?? []);
		if (rep.length === 0) expect(user.longestMonologueAverage).toBeNull();
		else expect(user.longestMonologueAverage).toBeCloseTo(median(rep), 0);
		if (customer.length > 0) {
			expect(user.longestCustomerMonologueAverage).toBeCloseTo(median(customer), 0);
		}
	}
});

// D1-USER-13
test('the mean duration includes recordings without a conversation', async () => {
	const rows = await allRows(service);
	for (const user of await users(service)) {
		const own = rows.filter((row) => row.user.id === user.userId).map((row) => row.duration);
		if (own.length === 0) expect(user.averageConversationDuration).toBeNull();
		else {
			const mean = own.reduce((sum, value) => sum + value) / own.length;
			expect(user.averageConversationDuration).toBeCloseTo(mean, 1);
		}
	}
});

// D1-USER-15
test('script compliance is the mean of score divided by denominator', async () => {
	const rows = (await listAll(service)).flatMap((page) => page.conversations);
	const compliances = [];
	for (const user of await users(service)) {
		const own = rows
			.filter((row) => row.user.id === user.userId)
			.flatMap((row) => row.checklists)
			.map(({ checklistScore, checklistDenominator }) => checklistScore / checklistDenominator);
		const mean = own.length === 0 ? null : own.reduce((sum, value) => sum + value) / own.length;
		if (mean === null) expect(user.averageScriptCompliance).toBeNull();
		else {
			// Two decimals, rounded up or down.
			expect(Math.abs((user.averageScriptCompliance ?? -1) - mean)).toBeLessThan(0.0051);
			compliances.push(user.averageScriptCompliance);
		}
	}
	expect(new Set(compliances).size).toBeGreaterThan(1);
});

// D1-USER-15, D1-USER-31..32, D1-USER-36, D1-USER-40
test('ratios are fractions with two decimals', async () => {
	for (const user of await users(service)) {
		const ratios = [
			user.averageScriptCompliance,
			user.percentageOfRepsWithCommentsGiven,
			user.recordingCompliance,
			user.talkRatioAverage,
			user.viewedRecordedRatio,
		];
		for (const value of ratios.filter((each) => each !== null)) {
			expect(value).toBeGreaterThanOrEqual(0);
			expect(value).toBeLessThanOrEqual(1);
			expect(Math.round(value * 100) / 100).toBe(value);
		}
	}
});

// D1-USER-27
test('the last ride-along is within the range', async () => {
	const range = { fromDate: '2024-01-01T00:00:00.000Z', toDate: '2024-12-31T00:00:00.000Z' };
	for (const { lastRidealongAt } of await users(service, range)) {
		if (lastRidealongAt === null) continue;
		expect(lastRidealongAt >= range.fromDate && lastRidealongAt <= range.toDate).toBe(true);
	}
});

// D1-USERS-05, D1-COACH-01..08
test('without coaching, counts are zero and lastCoachedAt is null', async () => {
	const rows = [...(await users(service)), ...(await users(service, beforeTime))];
	const idle = rows.filter((user) => user.liveCoaching.sessionsHosted === 0);
	expect(idle.length).toBeGreaterThan(0);
	for (const { liveCoaching } of idle) {
		const { lastCoachedAt, ...counts } = liveCoaching;
		expect(lastCoachedAt).toBeNull();
		expect(Object.values(counts).every((count) => count === 0)).toBe(true);
	}
});

// D1-USERBODY-06, D1-COACH-08
test('live coaching excludes the end of the range', async () => {
	const coached = (await users(service)).filter((user) => user.liveCoaching.lastCoachedAt !== null);
	expect(coached.length).toBeGreaterThan(0);
	for (const { email, liveCoaching } of coached) {
		const at = liveCoaching.lastCoachedAt ?? '';
		const until = async (toDate: string) =>
			(await users(service, { users: [email], toDate }))[0].liveCoaching.lastCoachedAt;
		expect([email, await until(shifted(at, 1))]).toEqual([email, at]);
		const earlier = await until(at);
		expect([email, earlier === null || Date.parse(earlier) < Date.parse(at)]).toEqual([email, true]);
	}
});
