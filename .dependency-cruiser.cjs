/** What may import what. Types count too: a circle of types is a circle of ideas. */
module.exports = {
	forbidden: [
		{ name: 'no-circle', severity: 'error', from: {}, to: { circular: true } },
		{
			name: 'nothing-from-test',
			comment: 'Share it through playground/ instead.',
			severity: 'error',
			from: { path: '^(nodes|credentials|sandbox|playground|bench|scripts)/' },
			to: { path: '^test/' },
		},
		{
			name: 'nodes-stand-alone',
			comment: 'What is published imports nothing of the development code.',
			severity: 'error',
			from: { path: '^(nodes|credentials)/' },
			to: { path: '^(sandbox|playground|bench|scripts)/' },
		},
		{
			name: 'independent-sandbox',
			comment: 'The sandbox is an independent reading of the two interface documents.',
			severity: 'error',
			from: { path: '^sandbox/' },
			to: { path: '^(nodes|credentials|playground|bench|scripts)/' },
		},
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		tsPreCompilationDeps: true,
		tsConfig: { fileName: 'tsconfig.json' },
		cache: { folder: 'node_modules/.cache/dependency-cruiser', strategy: 'content' },
	},
};
