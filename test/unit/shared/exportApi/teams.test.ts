import type { IExecuteFunctions, ILoadOptionsFunctions } from 'n8n-workflow';
import { getTeams, membersOf } from '../../../../nodes/shared/exportApi/teams';
import { scriptedService } from '../http/scriptedService';

const respondWith = (body: object) =>
	scriptedService({ responses: [{ statusCode: 200, body: JSON.stringify(body) }] });

test('the list of teams gives up after ten seconds, because a person waits for it', async () => {
	const { context, sent } = respondWith({ teams: [] });
	await getTeams.call(context as unknown as ILoadOptionsFunctions);
	expect(sent[0].options.timeout).toBeGreaterThan(9000);
	expect(sent[0].options.timeout).toBeLessThanOrEqual(10_000);
});

test('the members of teams may take five minutes, like the users of a list', async () => {
	const { context, sent } = respondWith({ users: [{ email: 'a@x', teams: [{ teamId: 't' }] }] });
	expect(await membersOf(context as IExecuteFunctions, ['t'], undefined)).toEqual(['a@x']);
	expect(sent[0].options.timeout).toBe(300_000);
});
