const js = require('@eslint/js');
const { config } = require('@n8n/node-cli/eslint');
const jest = require('eslint-plugin-jest');
const nodesBase = require('eslint-plugin-n8n-nodes-base');
const redos = require('eslint-plugin-redos');
const { defineConfig, globalIgnores } = require('eslint/config');
const tseslint = require('typescript-eslint');

// ESLint prefers this file to eslint.config.mjs, n8n's unchanged configuration, with which `npm run gate` lints.
// Both apply the same rules to published code. This one also covers the code that runs in plain Node.

const shipped = ['nodes/**/*.ts', 'credentials/**/*.ts'];
const development = [
	'sandbox/**/*.ts',
	'harness/**/*.ts',
	'playground/**/*.ts',
	'test/**/*.ts',
	'bench/**/*.ts',
	'scripts/**/*.ts',
];

/** All rules of a part of eslint-plugin-n8n-nodes-base but some. */
const nodesBaseRules = (part, ...off) => ({
	...nodesBase.configs[part].rules,
	...Object.fromEntries(off.map((rule) => [`n8n-nodes-base/${rule}`, 'off'])),
});

/** A list as the arguments of a call overflows the stack once the service sends some 100,000 rows. */
const longLists = [
	':matches(CallExpression, NewExpression) > SpreadElement',
	'CallExpression[callee.property.name=apply]',
].map((selector) => ({
	selector,
	message: 'A long list in place of arguments overflows the stack: use a loop, concat or maxOf.',
}));

/** The only files with paths of the service's two interfaces. */
const endpoints = [
	'nodes/shared/exportApi/client.ts',
	'nodes/ConversationIntelligenceAppointments/api.ts',
	'nodes/shared/http/credential.ts',
];

/** n8n's configuration, with its rules for all TypeScript files limited to published code. */
const n8n = config.map((part) => (part.files?.includes('**/*.ts') ? { ...part, files: shipped } : part));

module.exports = defineConfig(
	globalIgnores(['dist', 'coverage', 'node_modules', '.playground', '.stryker-tmp', 'reports']),
	...n8n,
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
	{ files: ['package.json'], rules: nodesBaseRules('community') },
	{
		files: ['credentials/**/*.ts'],
		rules: nodesBaseRules(
			'credentials',
			// Wants the name of a page of n8n's own documentation; a community node needs a full URL.
			'cred-class-field-documentation-url-miscased',
			// Takes every field with "key" in its name for a secret; n8n's newer credential-password-field is exact.
			'cred-class-field-type-options-password-missing',
		),
	},
	{
		files: ['nodes/**/*.ts'],
		rules: nodesBaseRules(
			'nodes',
			// Both want the text "main"; n8n's newer rules want NodeConnectionTypes.
			'node-class-description-inputs-wrong-regular-node',
			'node-class-description-outputs-wrong',
			// Forbids a maximum, which the service's API has.
			'node-param-type-options-max-value-present',
		),
	},
	{ files: endpoints, rules: { 'no-restricted-syntax': ['error', ...longLists] } },
	{
		files: shipped,
		ignores: endpoints,
		rules: {
			'no-restricted-syntax': [
				'error',
				...longLists,
				...['Literal[value', 'TemplateElement[value.raw'].map((text) => ({
					selector: `${text}=/^\\/(export|custom)\\//]`,
					message: `Only ${endpoints.join(' and ')} have paths of the service: add a function for the endpoint there.`,
				})),
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
				...['callee.name', 'callee.callee.object.name'].flatMap((callee) => [
					{
						selector: `CallExpression[${callee}=/^(test|describe)$/] > Literal[value=/.{121}/]`,
						message: 'A title has at most 120 characters.',
					},
					{
						selector: `CallExpression[${callee}=/^(test|describe)$/] > Literal[value=/D[12]-[A-Z]/]`,
						message: 'Name the rules in a comment above the test.',
					},
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
		languageOptions: { globals: { console: 'readonly', fetch: 'readonly', process: 'readonly' } },
	},
	{
		// The sandbox's page runs in a browser without a build.
		files: ['sandbox/page/files/**/*.js'],
		languageOptions: {
			globals: Object.fromEntries(
				['document', 'fetch', 'FormData', 'location', 'navigator', 'setTimeout'].map((name) => [
					name,
					'readonly',
				]),
			),
		},
	},
	{
		files: ['*.js', 'test/support/jest/*.js'],
		languageOptions: {
			sourceType: 'commonjs',
			globals: { require: 'readonly', module: 'writable', exports: 'writable', __dirname: 'readonly' },
		},
	},
);
