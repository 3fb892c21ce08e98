import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The page that the nightly tests write: what happens under faults, one at a time and all together. */
export const PAGE = join(__dirname, '../../../docs/reference/faults.md');
const HEADING = '\n## Everything at once\n';

/** What the last published long run wrote, with its heading. */
export function longRunOf(): string {
	const [, section] = existsSync(PAGE) ? readFileSync(PAGE, 'utf8').split(HEADING) : [];
	return section === undefined ? '' : `${HEADING}${section}`;
}

/** Replaces the section of the long run. */
export function writeLongRun(section: string): void {
	const [matrix] = readFileSync(PAGE, 'utf8').split(HEADING);
	writeFileSync(PAGE, `${matrix}${HEADING}\n${section}\n`);
}
