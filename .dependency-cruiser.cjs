/** The rooms of nodes/shared, lowest first. */
const ROOMS = ['base', 'http', 'exportApi', 'reading', 'node', 'selection', 'triggers'];

/** Which folders may import which. Type imports count too. */
module.exports = {
	forbidden: [
		{ name: 'no-circle', severity: 'error', from: {}, to: { circular: true } },
		{
			name: 'nothing-from-test',
			comment: 'Share it through harness/ instead.',
			severity: 'error',
			from: { path: '^(nodes|credentials|sandbox|harness|playground|bench|scripts)/' },
			to: { path: '^test/' },
		},
		{
			name: 'known-rooms-in-shared',
			comment: 'Every shared file has a room, e.g. nodes/shared/http/.',
			severity: 'error',
			from: {},
			to: { path: '^nodes/shared/', pathNot: `^nodes/shared/(${ROOMS.join('|')})/` },
		},
		...ROOMS.map((room, index) => ({
			name: `order-of-rooms-${room}`,
			comment: 'A room of nodes/shared imports itself and the rooms before it.',
			severity: 'error',
			from: { path: `^nodes/shared/${room}/` },
			to: { path: '^nodes/', pathNot: `^nodes/shared/(${ROOMS.slice(0, index + 1).join('|')})/` },
		})),
		{
			name: 'credentials-need-http-alone',
			severity: 'error',
			from: { path: '^credentials/' },
			to: { path: '^nodes/', pathNot: '^nodes/shared/http/' },
		},
		{
			name: 'nodes-share-through-shared',
			comment: 'What two nodes use is in nodes/shared/, which knows neither of them.',
			severity: 'error',
			from: { path: '^nodes/([^/]+)/' },
			to: { path: '^nodes/', pathNot: '^nodes/($1|shared)/' },
		},
		{
			name: 'nodes-stand-alone',
			comment: 'Published code imports no development code.',
			severity: 'error',
			from: { path: '^(nodes|credentials)/' },
			to: { path: '^(sandbox|harness|playground|bench|scripts)/' },
		},
		{
			name: 'independent-sandbox',
			comment: 'The sandbox implements the two interface documents independently.',
			severity: 'error',
			from: { path: '^sandbox/' },
			to: { path: '^(nodes|credentials|harness|playground|bench|scripts)/' },
		},
		{
			name: 'harness-below-its-users',
			comment: 'The playground, benchmarks and scripts use the harness, never the reverse.',
			severity: 'error',
			from: { path: '^harness/' },
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
