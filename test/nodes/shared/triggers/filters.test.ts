import type { IPollFunctions } from 'n8n-workflow';
import { withMembers } from '../../../../nodes/shared/triggers/filters';

let nodes = 0;

/** A trigger whose service has users of two teams, and how often it was asked for them. */
function trigger() {
	const id = `node ${++nodes}`;
	const asked: string[] = [];
	let credential = 'one';
	let status = 200;
	const membersOf = async (teams: string[], users?: string[]) => {
		const body = JSON.stringify({
			users: [
				{ email: `ana@${credential}.example`, teams: [{ teamId: 't1', name: 'North' }] },
				{ email: `bo@${credential}.example`, teams: [{ teamId: 't1', name: 'North' }] },
				{ email: `cy@${credential}.example`, teams: [{ teamId: 't2', name: 'South' }] },
			],
		});
		const context = {
			getNode: () => ({ id, name: 'Trigger', credentials: { conversationExportApi: { id: credential } } }),
			getWorkflow: () => ({ id: 'workflow' }),
			getCredentials: async () => await Promise.resolve({ baseUrl: 'https://api.example', apiKey: 'key' }),
			helpers: {
				httpRequestWithAuthentication: async () => {
					asked.push(credential);
					return await Promise.resolve({ statusCode: status, headers: {}, body: Buffer.from(body) });
				},
			},
		} as unknown as IPollFunctions;
		return (await withMembers(context, { filter: { users }, teams })).users;
	};
	return {
		asked,
		membersOf,
		use: (change: { credential?: string; status?: number }) =>
			({ credential = credential, status = status } = change),
	};
}

test('members of teams are asked for once in ten minutes, and again when the filter or the credential changes', async () => {
	const { asked, membersOf, use } = trigger();
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

test('members are asked for again after a failure', async () => {
	const { membersOf, use } = trigger();
	use({ status: 401 });
	await expect(membersOf(['North'])).rejects.toMatchObject({ details: { code: 'api_key_unknown' } });
	use({ status: 200 });
	expect(await membersOf(['North'])).toHaveLength(2);
});
