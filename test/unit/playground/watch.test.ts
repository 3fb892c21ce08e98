import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, unlinkSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const NODE = 'nodes/ConversationIntelligence';
const ASSETS = [
	`${NODE}/conversationIntelligence.svg`,
	`${NODE}/ConversationIntelligence.node.json`,
	`${NODE}/__schema__/v1.0.0/conversation/get.json`,
];

describe('The assets of the nodes', () => {
	test('are copied with their folders, without code, and again when one changes', async () => {
		const target = mkdtempSync(join(tmpdir(), 'assets-'));
		const copied = async (path: string) => {
			while (!existsSync(join(target, path))) await delay(50);
		};
		const gulp = spawn(process.execPath, ['node_modules/.bin/gulp', 'watch'], {
			env: { ...process.env, DIST: target },
		});
		try {
			for (const path of ASSETS) await copied(path);
			expect(existsSync(join(target, NODE, 'ConversationIntelligence.node.ts'))).toBe(false);
			for (const path of ASSETS) {
				unlinkSync(join(target, path));
				utimesSync(path, new Date(), new Date());
				await copied(path);
				expect(readFileSync(join(target, path))).toEqual(readFileSync(path));
			}
		} finally {
			gulp.kill();
			await once(gulp, 'exit');
			rmSync(target, { recursive: true, force: true });
		}
	}, 60_000);
});
