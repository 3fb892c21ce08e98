const { dest, src, watch } = require('gulp');

/** What `tsc` does not copy: icons, codex files (categories, aliases, links), and the output schemas that n8n reads next to a node. */
const ASSETS = [
	'{nodes,credentials}/**/*.{svg,png}',
	'nodes/**/*.node.json',
	'nodes/**/__schema__/**/*.json',
];

/** Copies all of them into `dist`, or into the folder in DIST. */
const build = () => src(ASSETS, { base: '.', encoding: false }).pipe(dest(process.env.DIST ?? 'dist'));

exports.build = build;
exports.default = build;
/** Copies them again when one changes, until it is stopped. */
exports.watch = () => watch(ASSETS, { ignoreInitial: false }, build);
