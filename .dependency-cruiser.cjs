/** The rooms of nodes/shared, lowest first. */
const ROOMS = ['base', 'http', 'exportApi', 'reading', 'node', 'selection', 'media', 'triggers'];

/** Files of these paths import none of those, except what `pathNot` allows. */
const forbid = (name, from, path, { pathNot, comment } = {}) => ({
	...{ name, comment, severity: 'error', from: { path: from } },
	to: pathNot ? { path, pathNot } : { path },
});

/** Which folders may import which. Type imports count too. */
module.exports = {
	forbidden: [
		{ name: 'no-circle', severity: 'error', from: {}, to: { circular: true } },
		forbid('nothing-from-test', '^(nodes|credentials|sandbox|harness|playground|bench|scripts)/', '^test/', {
			comment: 'Share it through harness/ instead.',
		}),
		forbid('known-rooms-in-shared', '', '^nodes/shared/', {
			pathNot: `^nodes/shared/(${ROOMS.join('|')})/`,
			comment: 'Every shared file has a room, e.g. nodes/shared/http/.',
		}),
		...ROOMS.map((room, index) =>
			forbid(`order-of-rooms-${room}`, `^nodes/shared/${room}/`, '^nodes/', {
				pathNot: `^nodes/shared/(${ROOMS.slice(0, index + 1).join('|')})/`,
				comment: 'A room of nodes/shared imports itself and the rooms before it.',
			}),
		),
		forbid('credentials-need-http-alone', '^credentials/', '^nodes/', { pathNot: '^nodes/shared/http/' }),
		forbid('nodes-share-through-shared', '^nodes/([^/]+)/', '^nodes/', {
			pathNot: '^nodes/($1|shared)/',
			comment: 'What two nodes use is in nodes/shared/, which knows neither of them.',
		}),
		forbid('nodes-stand-alone', '^(nodes|credentials)/', '^(sandbox|harness|playground|bench|scripts)/', {
			comment: 'Published code imports no development code.',
		}),
		forbid('independent-sandbox', '^sandbox/', '^(nodes|credentials|harness|playground|bench|scripts)/', {
			comment: 'The sandbox implements the two interface documents independently.',
		}),
		forbid('bench-below-scripts', '^bench/', '^scripts/', {
			comment: 'Scripts quote what benchmarks measured, never the reverse.',
		}),
		forbid('harness-below-its-users', '^harness/', '^(nodes|credentials|playground|bench|scripts)/', {
			comment: 'The playground, benchmarks and scripts use the harness, never the reverse.',
		}),
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		tsPreCompilationDeps: true,
		tsConfig: { fileName: 'tsconfig.check.json' },
		cache: { folder: 'node_modules/.cache/dependency-cruiser', strategy: 'content' },
	},
};
