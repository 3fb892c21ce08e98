/**
 * The first step of `npm run test:all`: names missing system tools before tests that take tens of minutes. As
 * root with apt-get, the tests install the tools themselves.
 */
import { existsSync } from 'node:fs';

import { missingForDriver } from '../harness/install/driver';
import { hostFolder } from '../harness/install/location';
import { inWords } from '../harness/problem';
import { canInstall } from '../harness/tools/install';
import { CHROMIUM, describeMissing, missing, POSTGRES, REDIS } from '../harness/tools/systemTools';

async function main(): Promise<number> {
	const forHost = existsSync(hostFolder()) ? [] : await missingForDriver();
	const tools = [...missing([CHROMIUM, REDIS, POSTGRES]), ...forHost];
	if (tools.length === 0) return 0;
	if (canInstall(tools)) {
		console.log(`Will be installed when needed: ${tools.map(({ name }) => name).join(', ')}.`);
		return 0;
	}
	console.error(describeMissing(tools));
	return 1;
}

main().then(
	(code) => (process.exitCode = code),
	(error: unknown) => {
		console.error(inWords(error));
		process.exitCode = 1;
	},
);
