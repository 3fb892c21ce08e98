import { runInNewContext } from 'node:vm';
import {
	type IDataObject,
	executeFilterCondition,
	type FilterConditionValue,
	type FilterOptionsValue,
	type FilterTypeCombinator,
} from 'n8n-workflow';
import { ConversationIntelligenceAppointments } from '../../../nodes/ConversationIntelligenceAppointments/ConversationIntelligenceAppointments.node';
import {
	INPUT_ERRORS,
	ITEM_ERRORS,
	RESPONSE_ERRORS,
} from '../../../nodes/ConversationIntelligenceAppointments/errors';
import type { ErrorTable } from '../../../nodes/shared/errors/codedError';
import { REQUEST_ERRORS } from '../../../nodes/shared/http/requestErrors';
import { exampleWorkflow } from '../../../harness/workflows';
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

describe('The example that keeps appointments in step', () => {
	const { server, engine } = scriptedEngine([ConversationIntelligenceAppointments]);
	const failedItem = async (more: IDataObject = {}) => {
		const { errorItems } = await runAppointments(engine, automatic(), [{ ...CREATE, ...more }], {
			onError: 'continueErrorOutput',
		});
		expect(errorItems).toHaveLength(1);
		return errorItems[0].json;
	};

	test('sends all rows again after every failure that is not of one row, and after no other', () => {
		const ofTheRow = [
			'request_refused',
			...Object.keys({ ...INPUT_ERRORS, ...ITEM_ERRORS, ...RESPONSE_ERRORS }),
		];
		const tables: ErrorTable[] = [REQUEST_ERRORS, INPUT_ERRORS, ITEM_ERRORS, RESPONSE_ERRORS];
		for (const [code, { retryable = false }] of tables.flatMap((table) => Object.entries(table))) {
			const isOfTheRow = ofTheRow.includes(code) && code !== 'api_key_unmapped';
			const details = { code, retryable };
			expect([code, isServicesFault({ error: '', details })]).toEqual([code, !isOfTheRow]);
		}
	});

	test.each<[string, IDataObject, ScriptedResponse, boolean]>([
		['a web page', {}, { status: 200, body: '<!doctype html><html>Sign in</html>' }, true],
		['an Event ID like a status', { event_id: 'Status 500 retrofit' }, { status: 400 }, false],
		['words like a failure', {}, { status: 400, body: 'No response came, Status 429' }, false],
	])('reads the code of a failed row, not its words: %s', async (_what, row, response, isFault) => {
		server.respond([response]);
		expect(isServicesFault(await failedItem(row))).toBe(isFault);
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
