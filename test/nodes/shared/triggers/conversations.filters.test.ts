import { withMembers } from '../../../../nodes/shared/triggers/conversations';
import { pollContext } from '../../ConversationIntelligencePollTrigger/pollingN8n';

const userOf = (name: string, teamId: string, team: string) => (credential: string) => ({
	email: `${name}@${credential}.example`,
	teams: [{ teamId, name: team }],
});
const USERS = [userOf('bo', 't1', 'North'), userOf('ana', 't1', 'North'), userOf('cy', 't2', 'South')];

/** A trigger whose service has users of two teams, and how often it was asked for them. */
function trigger(process: string) {
	const asked: string[] = [];
	let credential = 'one';
	let status = 200;
	const context = pollContext({
		process,
		getNode: () => ({ id: 'node', credentials: { conversationExportApi: { id: credential } } }),
		respond: async () => {
			asked.push(credential);
			const body = JSON.stringify({ users: USERS.map((user) => user(credential)) });
			return { statusCode: status, headers: {}, body: Buffer.from(body) };
		},
	});
	const membersOf = async (teams: string[], users?: string[], deadline?: number) =>
		(await withMembers(context, { filter: { users }, teams }, deadline)).users;
	return {
		asked,
		membersOf,
		use: (change: { credential?: string; status?: number }) =>
			({ credential = credential, status = status } = change),
	};
}

test('members of teams are asked for once in ten minutes, and again when the filter or the credential changes', async () => {
	const { asked, membersOf, use } = trigger('remembers');
	const clock = jest.spyOn(Date, 'now').mockReturnValue(0);
	for (const [at, teams, users, expected, requests] of [
		[0, ['North'], undefined, ['ana@one.example', 'bo@one.example'], 1],
		[599_999, ['North'], undefined, ['ana@one.example', 'bo@one.example'], 1],
		[599_999, ['North'], ['bo@one.example'], ['bo@one.example'], 2],
		[599_999, ['t2'], undefined, ['cy@one.example'], 3],
		[1_199_999, ['t2'], undefined, ['cy@one.example'], 4],
	] as const) {
		clock.mockReturnValue(at);
		expect(await membersOf([...teams], users && [...users])).toEqual(expected);
		expect(asked).toHaveLength(requests);
	}
	use({ credential: 'two' });
	expect(await membersOf(['t2'])).toEqual(['cy@two.example']);
});

test('members are requested until the deadline, and asked for again after a failure', async () => {
	const { asked, membersOf, use } = trigger('fails');
	use({ status: 503 });
	await expect(membersOf(['North'], undefined, 0)).rejects.toMatchObject({ details: { status: 503 } });
	expect(asked).toHaveLength(1);
	use({ status: 200 });
	expect(await membersOf(['North'])).toHaveLength(2);
});
