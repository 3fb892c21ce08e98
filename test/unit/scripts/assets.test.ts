import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyAssets, watchAssets } from '../../../scripts/assets';

const NODE = 'nodes/ConversationIntelligence';
const ICON = `${NODE}/conversationIntelligence.svg`;
const ASSETS = [
	ICON,
	`${NODE}/ConversationIntelligence.node.json`,
	`${NODE}/__schema__/v1.0.0/conversation/get.json`,
];

describe('The assets of the nodes', () => {
	let target: string;
	beforeEach(() => (target = mkdtempSync(join(tmpdir(), 'assets-'))));
	afterEach(() => rmSync(target, { recursive: true, force: true }));

	test('are copied with their folders, without code', () => {
		copyAssets(target);
		for (const path of ASSETS) expect(readFileSync(join(target, path))).toEqual(readFileSync(path));
		expect(existsSync(join(target, NODE, 'ConversationIntelligence.node.ts'))).toBe(false);
	});

	test.each(ASSETS)('are copied again when they change: %s', async (path) => {
		const [nodes, ...others] = watchAssets(target);
		const changed = once(nodes, 'change');
		utimesSync(path, new Date(), new Date());
		await changed;
		for (const watcher of [nodes, ...others]) watcher.close();
		expect(readFileSync(join(target, path))).toEqual(readFileSync(path));
	});
});
