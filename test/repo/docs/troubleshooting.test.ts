import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compare, documentedMessages, packageFiles, textsIn } from '../../../scripts/messages';

const root = join(__dirname, '../../..');
const page = readFileSync(join(root, 'docs/troubleshooting.md'), 'utf8');

/** Compares a few lines of TypeScript with the first column of a table. */
function compareWith(code: string, ...entries: string[]) {
	const folder = mkdtempSync(join(tmpdir(), 'messages-'));
	try {
		const file = join(folder, 'node.ts');
		writeFileSync(file, code);
		const table = entries.map((entry) => `| \`${entry}\` | cause | remedy |`).join('\n');
		const { missing, stale } = compare(textsIn([file]), documentedMessages(table));
		return { missing: missing.map(({ text }) => text), stale };
	} finally {
		rmSync(folder, { recursive: true });
	}
}

describe('docs/troubleshooting.md', () => {
	const compared = compare(textsIn(packageFiles(root)), documentedMessages(page));

	it('explains every message of the nodes and credentials', () => {
		expect(compared.missing.map(({ place, text }) => `${place} ${text}`)).toEqual([]);
	});

	it('quotes no message that the code does not have', () => {
		expect(compared.stale).toEqual([]);
	});

	it('finds the messages of the nodes', () => {
		const found = documentedMessages(page);
		expect(found.length).toBeGreaterThan(100);
		expect(found).toContain('The signature does not match the body');
	});
});

describe('the comparison of messages', () => {
	it('reports a message without an entry, with an ellipsis for each value', () => {
		const code =
			'throw new UserError(`Limit is "${limit}", not a whole number. Correct it. [Item ${index}]`);';
		expect(compareWith(code).missing).toEqual(['Limit is "…", not a whole number']);
	});

	it('accepts an entry that spells out a value', () => {
		const code = "const message = `The service's response ${why}`; use(message);";
		expect(compareWith(code, "The service's response is not valid JSON")).toEqual({ missing: [], stale: [] });
	});

	it('reports an entry whose message is gone', () => {
		expect(compareWith("warn('The service is slow today');", 'The service was closed').stale).toEqual([
			'The service was closed',
		]);
	});

	it('does not accept a long entry because of a short text in it', () => {
		expect(compareWith("is('empty')", 'The Base URL of the old credential is empty').stale).toHaveLength(1);
	});

	it('skips panel texts and advice that accompanies a message', () => {
		const code = `
			const ADVICE = 'Check the values of this node.';
			const property = { displayName: 'API Key', description: 'The key that the service shows once' };
			const schema = object({ key: string().describe('The key that the service shows once') });
			throw new UserError('Title is missing here', { description: ADVICE });`;
		expect(compareWith(code, 'Title is missing here')).toEqual({ missing: [], stale: [] });
	});

	it('treats the second text of a call or of a table row as advice', () => {
		const code = `
			refuse(node, 'The key is wrong here', 'Check the key of the credential.');
			const ROWS = [[404, 'There is nothing here', 'Check the address of the service.']];`;
		expect(compareWith(code).missing).toEqual(['The key is wrong here', 'There is nothing here']);
	});

	it('follows a constant to the message that it is used in', () => {
		const code = "const GONE = 'The page is gone'; throw new UserError(GONE);";
		expect(compareWith(code).missing).toEqual(['The page is gone']);
	});
});
