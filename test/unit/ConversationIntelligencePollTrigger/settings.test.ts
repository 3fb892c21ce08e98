import type { IPollFunctions } from 'n8n-workflow';
import { readSettings } from '../../../nodes/ConversationIntelligencePollTrigger/settings';
import { serviceTime, type Source } from '../../../nodes/ConversationIntelligencePollTrigger/source';

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

test.each([
	['is ahead of this machine', 105_000, 105_000],
	['agrees with this machine', 99_500, 100_000],
	['is behind this machine', 90_000, 91_000],
])('the start is by the clock of the service when it %s', async (_where, at, start) => {
	const fetchPage = async () => await Promise.resolve({ at });
	expect(await serviceTime({ fetchPage } as unknown as Source, 100_000)).toBe(start);
});
