// Why there are two files: n8n's strict mode fixes the text of eslint.config.mjs, so this file adds our rules to n8n's; it takes
// none away from published code. ESLint reads this file, `n8n-node lint` too; `npm run gate` lints by eslint.config.mjs alone.

const js = require('@eslint/js');
const { config } = require('@n8n/node-cli/eslint');
const jest = require('eslint-plugin-jest');
const n8nNodesBase = require('eslint-plugin-n8n-nodes-base');
const redos = require('eslint-plugin-redos');
const { defineConfig, globalIgnores } = require('eslint/config');
const tseslint = require('typescript-eslint');

const readonly = (...names) => Object.fromEntries(names.map((name) => [name, 'readonly']));

const shipped = ['nodes/**/*.ts', 'credentials/**/*.ts'];
const development = ['{sandbox,harness,playground,test,bench,scripts}/**/*.ts'];

const forbid = (message, ...selectors) => selectors.map((selector) => ({ selector, message }));

/** A list as the arguments of a call overflows the stack once the service sends some 100,000 rows. */
const longLists = forbid(
	'A long list in place of arguments overflows the stack: use a loop, concat or maxOf.',
	':matches(CallExpression, NewExpression) > SpreadElement',
	'CallExpression[callee.property.name=apply]',
);

/** The only files with paths of the service's two interfaces. */
const endpoints = [
	'nodes/shared/exportApi/client.ts',
	'nodes/ConversationIntelligenceAppointments/api.ts',
	'nodes/shared/http/credentialTest.ts',
];

/** n8n's configuration, with its rules for all TypeScript files limited to published code, and with paths that ESLint matches. */
const n8n = config.map((part) => ({
	...part,
	...(part.files && {
		files: part.files.flatMap((file) => (file === '**/*.ts' ? shipped : file.replace('./', ''))),
	}),
}));

/** Rules of eslint-plugin-n8n-nodes-base that n8n's community rules contradict; n8n's configuration has them off, too. */
const CONTRADICTED = [
	'cred-class-field-documentation-url-miscased',
	'cred-class-field-type-options-password-missing',
	'node-class-description-inputs-wrong-regular-node',
	'node-class-description-outputs-wrong',
	'node-param-type-options-max-value-present',
];

/** Every other rule of the plugin with this prefix, because n8n's configuration has a part of them. */
const baseRules = (prefix) =>
	Object.fromEntries(
		Object.keys(n8nNodesBase.rules)
			.filter((name) => name.startsWith(prefix) && !CONTRADICTED.includes(name))
			.map((name) => [`n8n-nodes-base/${name}`, 'error']),
	);

module.exports = defineConfig(
	globalIgnores(['dist', 'coverage', 'node_modules', '.playground', '.stryker-tmp', 'reports']),
	...n8n,
	{ files: ['nodes/**/*.ts'], rules: baseRules('node-') },
	{ files: shipped, rules: { 'max-lines': ['error', 400], 'max-lines-per-function': ['error', 60] } },
	{ files: ['credentials/**/*.ts'], rules: baseRules('cred-') },
	{
		// The community verification ignores inline switches, so they have no effect here either.
		files: shipped,
		linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'off' },
	},
	{
		// A pattern that backtracks holds n8n for every user. The exact checker alone: the other one tries at random.
		files: shipped,
		plugins: { redos },
		rules: { 'redos/no-vulnerable': ['error', { checker: 'automaton', timeout: 30_000 }] },
	},
	{ files: endpoints, rules: { 'no-restricted-syntax': ['error', ...longLists] } },
	{
		files: shipped,
		ignores: endpoints,
		rules: {
			'no-restricted-syntax': [
				'error',
				...longLists,
				...forbid(
					`Only ${endpoints.join(' and ')} have paths of the service: add a function for the endpoint there.`,
					'Literal[value=/^\\/(export|custom)\\//]',
					'TemplateElement[value.raw=/^\\/(export|custom)\\//]',
				),
			],
		},
	},
	{ files: development, extends: [js.configs.recommended, tseslint.configs.recommended] },
	{
		files: ['test/**/*.test.ts'],
		extends: [jest.configs['flat/recommended']],
		rules: {
			'no-restricted-syntax': [
				'error',
				...['callee.name', 'callee.callee.object.name']
					.map((callee) => `CallExpression[${callee}=/^(test|describe)$/] > Literal`)
					.flatMap((title) => [
						...forbid('A title has at most 120 characters.', `${title}[value=/.{121}/]`),
						...forbid('Name the rules in a comment above the test.', `${title}[value=/D[12]-[A-Z]/]`),
					]),
			],
			'jest/expect-expect': ['error', { assertFunctionNames: ['expect*', 'fc.assert', '**.expect*'] }],
			'jest/no-disabled-tests': 'error',
			'jest/no-focused-tests': 'error',
			'jest/no-conditional-expect': 'off',
			'jest/no-standalone-expect': 'off',
		},
	},
	{
		files: ['**/*.{js,mjs}'],
		extends: [js.configs.recommended],
		languageOptions: { globals: readonly('console', 'fetch', 'process') },
	},
	{
		// The sandbox's page runs in a browser without a build.
		files: ['sandbox/page/files/**/*.js'],
		languageOptions: { globals: readonly('document', 'fetch', 'FormData', 'navigator', 'setTimeout') },
	},
	{
		files: ['*.js', 'test/support/jest/*.js'],
		languageOptions: {
			sourceType: 'commonjs',
			globals: { ...readonly('require', '__dirname'), module: 'writable', exports: 'writable' },
		},
	},
);
