import { readFileSync } from 'node:fs';
import { TRIGGER_ERRORS } from '../../../nodes/ConversationIntelligenceTrigger/errors';

test('the pages list every code of a rejection, and every status', () => {
	const [, codes] = readFileSync('docs/reference/errors.md', 'utf8').split(
		'\n## Conversation Intelligence Trigger\n',
	);
	const rows = [...codes.split('\n## ')[0].matchAll(/^\| `(\w+)`/gm)].map(([, code]) => code);
	expect(rows).toEqual(Object.keys(TRIGGER_ERRORS));
	const page = readFileSync('docs/conversation-intelligence-trigger.md', 'utf8');
	const documented = [...page.matchAll(/^\| ([45]\d\d) /gm)].map(([, status]) => Number(status));
	const statuses = Object.values(TRIGGER_ERRORS).map((row) => ('status' in row ? row.status : 401));
	expect(documented.sort()).toEqual([...new Set(statuses)].sort());
});
