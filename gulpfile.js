const { dest, parallel, src } = require('gulp');

/** Copies what `tsc` does not: icons next to the nodes and credentials that use them. */
const icons = () => src('{nodes,credentials}/**/*.{svg,png}', { encoding: false }).pipe(dest('dist'));

/** Codex files: the editor's categories, aliases and documentation links. */
const codex = () => src('nodes/**/*.node.json').pipe(dest('dist/nodes'));

/** Output schemas: n8n reads `__schema__/v<version>/<resource>/<operation>.json` next to the built node. */
const schemas = () => src('nodes/**/__schema__/**/*.json').pipe(dest('dist/nodes'));

exports.build = parallel(icons, codex, schemas);
exports.default = exports.build;
