import { runInNewContext } from 'node:vm';
import {
	executeFilterCondition,
	type FilterConditionValue,
	type FilterOptionsValue,
	type FilterTypeCombinator,
} from 'n8n-workflow';
import {
	INPUT_ERRORS,
	ITEM_ERRORS,
	RESPONSE_ERRORS,
} from '../../../nodes/ConversationIntelligenceAppointments/errors';
import type { ErrorTable } from '../../../nodes/shared/errors/codedError';
import { REQUEST_ERRORS } from '../../../nodes/shared/http/requestErrors';
import { exampleWorkflow } from '../../../harness/workflows';

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

	test.each(Object.keys(RESPONSE_ERRORS))(
		'keeps an appointment with a recording, and no other: %s',
		(code) => {
			const isKept = decides('Has a Recording?', { error: 'Status 409', details: { code } });
			expect(isKept).toBe(code === 'appointment_has_recording');
		},
	);

	// Once, only the exact text deleted: other spellings booked the visit.
	test('deletes a row whose status is cancelled in any spelling, and books every other', () => {
		const branches = (status: unknown) =>
			['Cancelled?', 'Booked Rows'].map((name) => decides(name, { status }));
		for (const status of ['cancelled', 'Canceled ', 'CANCELLED']) {
			expect(branches(status)).toEqual([true, false]);
		}
		for (const status of ['booked', 'not cancelled', null]) expect(branches(status)).toEqual([false, true]);
	});
});
