import { executeFilterCondition, type FilterConditionValue, type FilterOptionsValue } from 'n8n-workflow';
import { RETRY } from '../../../nodes/shared/http';
import { exampleWorkflow } from '../../../harness/workflows';
import { createEngine, type Engine } from '../../support/engine';
import { scriptedEngine } from '../../support/engine/fixtures';
import type { ScriptedResponse } from '../../support/scriptedServer';
import { automatic, CREATE, runAppointments } from './mapping';

interface If {
	options: FilterOptionsValue;
	conditions: FilterConditionValue[];
}

/** Decides about an item of the error output, as the IF node of the example does. */
function isServicesFault({ error, message = '' }: { error?: unknown; message?: unknown }): boolean {
	const { nodes } = exampleWorkflow('sync-appointments');
	const { parameters } = nodes.find(({ name }) => name === "The Service's Fault?")!;
	const { options, conditions } = parameters.conditions as unknown as If;
	expect(conditions.map(({ leftValue }) => leftValue)).toEqual(['={{ $json.error }} {{ $json.message }}']);
	const leftValue = `${String(error)} ${String(message)}`;
	return executeFilterCondition({ ...conditions[0], leftValue }, options);
}

const WEB_PAGE = '<!doctype html><html>Sign in</html>';
const run = async (engine: Engine) => {
	const { errorItems } = await runAppointments(engine, automatic(), [CREATE], {
		onError: 'continueErrorOutput',
	});
	expect(errorItems).toHaveLength(1);
	return isServicesFault(errorItems[0].json);
};

describe('The example that keeps appointments in step', () => {
	const { server, engine } = scriptedEngine();
	beforeEach(() => jest.replaceProperty(RETRY as { baseDelayMs: number }, 'baseDelayMs', 1));

	test.each<[string, ScriptedResponse]>([
		['401', { status: 401 }],
		['403', { status: 403, body: 'Forbidden' }],
		['a wrong address', { status: 404, body: '{"message":"No matching route"}' }],
		['a redirect', { status: 302, headers: { location: '/login' } }],
		['a time-out', { status: 408 }],
		['a rate limit', { status: 429, headers: { 'retry-after': '1000' } }],
		['a key without an organization', { status: 422, body: 'No organization' }],
		['500', { status: 500 }],
		['a web page', { status: 200, body: WEB_PAGE }],
		['a lost connection', 'cut'],
	])('sends all rows again after %s', async (_what, response) => {
		server.respond([response]);
		await expect(run(engine)).resolves.toBe(true);
	});

	test('sends all rows again when the service cannot be reached, or the credential is wrong', async () => {
		const refused = { baseUrl: 'http://127.0.0.1:9', apiKey: 'key-1' };
		for (const credential of [refused, { ...refused, apiKey: '' }]) {
			const other = await createEngine({ crmAppointmentApi: credential });
			await expect(run(other)).resolves.toBe(true);
		}
	});

	test.each<[string, ScriptedResponse]>([
		['a rep who has left', { status: 422, body: 'User email is not in Acme' }],
		['an invalid field', { status: 400, body: 'start_time has a bad format' }],
	])('only refuses the row with %s', async (_what, response) => {
		server.respond([response]);
		await expect(run(engine)).resolves.toBe(false);
	});
});
