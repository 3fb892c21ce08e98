import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	MESSAGES,
	rejection,
	type RejectionCode,
} from '../../../nodes/ConversationIntelligenceTrigger/rejections';

const page = readFileSync(join(__dirname, '../../../docs/conversation-intelligence-trigger.md'), 'utf8');

/** The rows of the page's table of responses, as pairs of status and code. */
const DOCUMENTED = [...page.matchAll(/^\| (4\d\d|503)\s*\|([^|]+)\|(.*)$/gm)].flatMap(
	([, status, codes, text]) =>
		[...codes.matchAll(/`(\w+)`/g)].map(([, code]) => ({
			code: code as RejectionCode,
			status: Number(status),
			isShown: text.includes('The body says why.'),
		})),
);

test.each(DOCUMENTED)('responds as the page says: %o', ({ code, status, isShown }) => {
	const rejected = rejection(code, { header: 'X-Mine', isSigned: isShown });
	expect(rejected).toMatchObject({ code, status, isShown });
	expect(rejected.message).toMatch(/^The .+\.$/);
});

test('the page lists every rejection', () => {
	const codes = DOCUMENTED.map(({ code }) => code);
	expect(codes.sort()).toEqual(Object.keys(MESSAGES).sort());
});

test('a message names the header that the user chose', () => {
	expect(rejection('signature_missing', { header: 'X-Mine' }).message).toMatch(
		/^The header X-Mine is missing\./,
	);
	expect(rejection('signature_malformed').message).toMatch(/^The header {2}is not/);
});
