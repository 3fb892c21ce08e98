// The community verification's source rules over what is shipped, inline switches ignored; no error, no warning.
import { ESLint } from 'eslint';
import { gateConfig } from '../eslint.config.mjs';

const eslint = new ESLint({ allowInlineConfig: false, overrideConfigFile: true, overrideConfig: gateConfig });
const results = await eslint.lintFiles(['package.json', '{nodes,credentials}/**/*.ts']);
const findings = results.reduce((sum, result) => sum + result.errorCount + result.warningCount, 0);
if (findings > 0) {
	const formatter = await eslint.loadFormatter('stylish');
	console.log(await formatter.format(results));
	process.exitCode = 1;
}
console.log(`Gate: ${results.length} files, ${findings} findings.`);
