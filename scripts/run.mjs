// `node scripts/run.mjs <program.ts> [arguments]`: runs one of the repository's TypeScript programs in this process.
// What an old Node or Windows lacks is said first, before any package is imported.
import { createRequire } from 'module';
import { resolve } from 'path';

import { objection } from './objection.mjs';

const words = objection(process.versions.node, process.platform);
if (words) {
	console.error(words);
	process.exit(1);
}
// The program finds its arguments where it would without this file.
process.argv.splice(1, 1);
process.argv[1] = resolve(process.argv[1]);
import('tsx').then(() => createRequire(import.meta.url)(process.argv[1]));
