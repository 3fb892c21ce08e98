import { runInNewContext } from 'node:vm';
import { executeFilterCondition, type FilterConditionValue, type FilterOptionsValue } from 'n8n-workflow';
import { exampleWorkflow } from '../../../harness/workflows';

interface If {
	options: FilterOptionsValue;
	conditions: FilterConditionValue[];
}

/** Whether an example deletes a row with this status, as its IF node decides. */
function deletes(slug: string, status: unknown): boolean {
	const { parameters } = exampleWorkflow(slug).nodes.find(({ name }) => name === 'Cancelled?')!;
	const { options, conditions } = parameters.conditions as unknown as If;
	const [, expression] = /^=\{\{(.*)\}\}$/s.exec(String(conditions[0].leftValue))!;
	const leftValue = runInNewContext(expression, { $json: { status } }) as string;
	return executeFilterCondition({ ...conditions[0], leftValue }, options);
}

// Once, only the exact text deleted: other spellings booked the visit.
test.each(['sync-appointments', 'google-calendar-to-appointments', 'outlook-to-appointments'])(
	'%s deletes a row whose status is cancelled in any spelling, and books every other',
	(slug) => {
		for (const status of ['cancelled', 'Canceled ', 'CANCELLED']) expect(deletes(slug, status)).toBe(true);
		for (const status of ['booked', 'not cancelled', null]) expect(deletes(slug, status)).toBe(false);
	},
);
