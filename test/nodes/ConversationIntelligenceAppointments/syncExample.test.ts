import { runInNewContext } from 'node:vm';
import {
	type IDataObject,
	executeFilterCondition,
	type FilterConditionValue,
	type FilterOptionsValue,
	type FilterTypeCombinator,
} from 'n8n-workflow';
import { ConversationIntelligenceAppointments } from '../../../nodes/ConversationIntelligenceAppointments/ConversationIntelligenceAppointments.node';
import { POLICY } from '../../../nodes/shared/http';
import { REQUEST_ERRORS } from '../../../nodes/shared/http/requestErrors';
import { exampleWorkflow } from '../../../harness/workflows';
import { createEngine, type Engine } from '../../support/engine';
import { scriptedEngine } from '../../support/engine/fixtures';
import type { ScriptedResponse } from '../../support/scriptedServer';
import { automatic, CREATE, runAppointments } from './mapping';

interface If {
	options: FilterOptionsValue;
	conditions: FilterConditionValue[];
	combinator: FilterTypeCombinator;
}

/** Decides about an item of the error output, as an IF node of the example does. */
function decides(name: string, json: object): boolean {
	const { parameters } = exampleWorkflow('sync-appointments').nodes.find((node) => node.name === name)!;
	const { options, conditions, combinator } = parameters.conditions as unknown as If;
	const results = conditions.map((condition) => {
		const [, expression] = /^=\{\{(.*)\}\}$/s.exec(String(condition.leftValue))!;
		const leftValue = runInNewContext(expression, { $json: json }) as string;
		return executeFilterCondition({ ...condition, leftValue }, options);
	});
	return combinator === 'or' ? results.includes(true) : !results.includes(false);
}

const isServicesFault = (json: object) => decides("The Service's Fault?", json);

const WEB_PAGE = '<!doctype html><html>Sign in</html>';
const run = async (engine: Engine, more: IDataObject = {}) => {
	const { errorItems } = await runAppointments(engine, automatic(), [{ ...CREATE, ...more }], {
		onError: 'continueErrorOutput',
	});
	expect(errorItems).toHaveLength(1);
	return isServicesFault(errorItems[0].json);
};

describe('The example that keeps appointments in step', () => {
	const { server, engine } = scriptedEngine([ConversationIntelligenceAppointments]);
	beforeEach(() => jest.replaceProperty(POLICY as { baseDelayMs: number }, 'baseDelayMs', 1));

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
			const other = await createEngine([ConversationIntelligenceAppointments], {
				crmAppointmentApi: credential,
			});
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

	test.each<[string, IDataObject]>([
		['Event ID', { event_id: 'Status 500 retrofit' }],
		['title', { title: 'No response came, Status 429' }],
		['attendee', { attendee_emails: 'Not sent yet' }],
		['time', { start_time: 'of the credential' }],
	])('only refuses a row whose %s reads like a failure of the service', async (_what, row) => {
		server.respond([{ status: 400, body: `start_time has a bad format: ${Object.values(row).join()}` }]);
		await expect(run(engine, row)).resolves.toBe(false);
	});

	test('sends all rows again after every failure that is not the row’s', () => {
		const codes = Object.entries(REQUEST_ERRORS).filter(([code]) => code !== 'request_refused');
		for (const [code, { retryable }] of codes as Array<[string, { retryable?: boolean }]>) {
			const details = { code, retryable: retryable ?? false };
			expect([code, isServicesFault({ error: '', details })]).toEqual([code, true]);
		}
	});

	test.each([
		['a recording', { status: 409, body: 'recording' }, 'crm-1', true],
		['an Event ID like a status', { status: 400, body: 'Status 409' }, 'Status 409', false],
	])('keeps an appointment with a recording, and decides so by its code: %s', async (_what, ...given) => {
		const [response, event_id, isKept] = given;
		server.respond([response]);
		const { errorItems } = await runAppointments(
			engine,
			{ operation: 'delete', eventId: event_id },
			[{ event_id }],
			{ onError: 'continueErrorOutput' },
		);
		expect(decides('Has a Recording?', errorItems[0].json)).toBe(isKept);
	});
});
