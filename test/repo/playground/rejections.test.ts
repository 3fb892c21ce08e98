import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repeating } from '../../../harness/problem';
import { printRejections } from '../../../playground/rejections';

test('npm start prints why n8n rejects a delivery, and where its log is', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'log-'));
	const log = join(folder, 'n8n.log');
	writeFileSync(log, 'rejected a delivery (old): from before\n');
	const printed = await new Promise<string>((resolve) => {
		const stop = printRejections(log, (line) => void stop().then(() => resolve(line)));
		appendFileSync(log, 'a line\n[warn] Workflow x: rejected a delivery (signature_mismatch): no match\n');
	});
	rmSync(folder, { recursive: true });
	expect(printed).toBe(`n8n rejected a delivery (signature_mismatch): no match\n      Its log: ${log}`);
});

test('a step that takes long is reported every 15 seconds', () => {
	jest.useFakeTimers();
	const lines: string[] = [];
	const { report, stop } = repeating((line) => lines.push(line));
	report('Packing');
	jest.advanceTimersByTime(31_000);
	stop();
	jest.advanceTimersByTime(60_000);
	jest.useRealTimers();
	expect(lines).toEqual(['Packing', 'Still: Packing', 'Still: Packing']);
});
