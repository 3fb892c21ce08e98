const { isBuiltin } = require('node:module');
const { dirname, join } = require('node:path');
const { default: Runtime } = require('jest-runtime');

/** `TEST_VERSIONS=n8n-oldest npx jest …` loads the packages that `test/versions/n8n-oldest` declares from there. */
const { TEST_VERSIONS } = process.env;
const folder = TEST_VERSIONS && join(__dirname, '../../../node_modules/.cache/versions', TEST_VERSIONS);
const declared = folder ? Object.keys(require(join(folder, 'package.json')).dependencies) : [];

/** `@jest/globals` is specific to each test file. */
const isPackage = (name) => /^[@a-z]/i.test(name) && name !== '@jest/globals' && !isBuiltin(name);

/**
 * Loads packages once for all test files of a worker, like n8n does, because the engine alone takes over a
 * second. The repository's own files are reloaded for each test file, so they share no state.
 */
module.exports = class SharedPackagesRuntime extends Runtime {
	requireModuleOrMock(from, name) {
		if (!isPackage(name)) return super.requireModuleOrMock(from, name);
		return require(require.resolve(name, { paths: [declared.includes(name) ? folder : dirname(from)] }));
	}
};
