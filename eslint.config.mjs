import js from '@eslint/js';
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import { defineConfig, globalIgnores } from 'eslint/config';
import jest from 'eslint-plugin-jest';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

/**
 * What n8n's community scan lints a package with: both plug-ins, everything on, less the five rules
 * that n8n's own configuration switches off because newer rules contradict them.
 * `npm run gate` runs exactly this with inline switches ignored; `npm run lint` adds the rest below.
 */
export const gateConfig = defineConfig(
	{
		files: ['package.json', 'nodes/**/*.ts', 'credentials/**/*.ts'],
		extends: [n8nCommunityNodesPlugin.configs.recommended],
		languageOptions: { parser: tseslint.parser, parserOptions: { extraFileExtensions: ['.json'] } },
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: { 'no-console': 'error' },
	},
	{ files: ['package.json'], rules: n8nNodesBase.configs.community.rules },
	{
		files: ['credentials/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.credentials.rules,
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
			'n8n-nodes-base/cred-class-field-type-options-password-missing': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.nodes.rules,
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
			'n8n-nodes-base/node-param-type-options-max-value-present': 'off',
		},
	},
);

export default defineConfig(
	globalIgnores(['dist', 'coverage', 'node_modules', '.playground', 'playground/node_modules']),
	{ files: ['**/*.ts'], extends: [js.configs.recommended, tseslint.configs.recommended] },
	{
		// Development code runs in plain Node: it may read the environment, open sockets and print.
		files: ['sandbox/**/*.ts', 'playground/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts', 'scripts/**/*.ts'],
		rules: { 'no-console': 'off' },
	},
	{
		files: ['test/**/*.test.ts'],
		extends: [jest.configs['flat/recommended']],
		rules: {
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
		languageOptions: { globals: { console: 'readonly', process: 'readonly' } },
	},
	{
		// The sandbox's page runs in a browser, as it is.
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
		files: ['*.js'],
		languageOptions: {
			sourceType: 'commonjs',
			globals: { require: 'readonly', module: 'writable', exports: 'writable' },
		},
	},
	...gateConfig,
);
