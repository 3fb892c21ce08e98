import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TRIGGER_ERRORS } from '../../../nodes/ConversationIntelligenceTrigger/errors';

const page = readFileSync(join(__dirname, '../../../docs/conversation-intelligence-trigger.md'), 'utf8');

/** The rows of the page's table of responses, as pairs of code and status. */
const DOCUMENTED = [...page.matchAll(/^\| (4\d\d|503)\s*\|([^|]+)\|/gm)].flatMap(([, status, codes]) =>
	[...codes.matchAll(/`(\w+)`/g)].map(([, code]) => [code, Number(status)]),
);

test('the page lists every rejection with its status', () => {
	const statuses = Object.entries(TRIGGER_ERRORS).map(([code, row]) => [
		code,
		'status' in row ? row.status : 401,
	]);
	expect(DOCUMENTED.sort()).toEqual(statuses.sort());
});
