import type { IPollFunctions } from 'n8n-workflow';
import { readSettings } from '../../../nodes/ConversationIntelligencePollTrigger/settings';

test.each([
	[30, 30_000],
	[-1, 0],
	[undefined, 0],
])('a time limit of %p seconds for executions is one of %i milliseconds', (executionTimeout, timeLimitMs) => {
	const context = {
		getNodeParameter: () => ({}),
		getWorkflowSettings: () => ({ executionTimeout }),
	};
	expect(readSettings(context as unknown as IPollFunctions).timeLimitMs).toBe(timeLimitMs);
});
