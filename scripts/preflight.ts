/**
 * The first step of `npm run test:all`: names missing system tools before tests that take tens of minutes. As
 * root with apt-get, the tests install the tools themselves.
 */
import { canInstall, CHROMIUM, describeMissing, missing, POSTGRES, REDIS } from '../harness/tools';

const tools = missing([CHROMIUM, REDIS, POSTGRES]);
if (tools.length > 0 && canInstall(tools)) {
	console.log(`Will be installed when needed: ${tools.map(({ name }) => name).join(', ')}.`);
} else if (tools.length > 0) {
	console.error(describeMissing(tools));
	process.exitCode = 1;
}
