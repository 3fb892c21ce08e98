/** Who publishes the package and whether it is on npm, as `identity.json` says: `npm run generate` writes it where it is needed. */
import { readFileSync } from 'node:fs';
import { n8n, name, version } from '../package.json';
import { author, documentation, email, organization, published, repository } from '../identity.json';

const CREDENTIALS = n8n.credentials.map((path) => path.replace('dist/', '').replace(/js$/, 'ts'));
const CODEX = n8n.nodes.map((path) => path.replace('dist/', '').replace(/js$/, 'json'));

/** What says who publishes: the files, the text to replace, and what to write there. */
const PLACES: Array<[files: string[], text: RegExp, written: string]> = [
	[['package.json'], /(?<="author": \{\s+"name": )"[^"]*"/, `"${author}"`],
	[['package.json'], /(?<="email": )"[^"]*"/, `"${email}"`],
	[['package.json'], /(?<="homepage": )"[^"]*"/, `"${repository}#readme"`],
	[['package.json'], /"git\+[^"]*\.git"/, `"git+${repository}.git"`],
	[['package.json'], /"[^"]*\/issues"/, `"${repository}/issues"`],
	[['LICENSE'], /(?<=Copyright \(c\) \d+ ).*/, author],
	[['.github/CODEOWNERS'], /@\S+\/maintainers/, `@${organization}/maintainers`],
	[['.github/ISSUE_TEMPLATE/config.yml'], /\S+(?=\/security\/policy)/, repository],
	[['README.md'], /(?<=\[issues\]\()[^)]*/, `${repository}/issues`],
	// npm's page of the package resolves relative addresses of links and pictures, but not of `srcset`.
	[
		['README.md'],
		/(?<=srcset=")\S*?(?=docs\/images\/)/g,
		`${repository.replace('//', '//raw.').replace('github', 'githubusercontent')}/main/`,
	],
	[CREDENTIALS, /https:\S+(?=\/[\w-]+\.md)/g, documentation],
	[CODEX, /https:\S+(?=\/[\w-]+\.md)/g, documentation],
];

const TARBALL = `${name}-${version}.tgz`;

/** What pages say before the first release, and after it, between `<!--published:…-->` and `<!--/published-->`. */
const SENTENCES: Record<string, [before: string, after: string]> = {
	install: [
		`The package is not on npm yet. Build it in a clone, and install the resulting file as the user who runs n8n:

\`\`\`bash
npm ci && npm run pack   # prints the file's path: release/${TARBALL}
mkdir -p ~/.n8n/nodes && cd ~/.n8n/nodes
npm install --legacy-peer-deps /path/to/release/${TARBALL}
\`\`\`

Restart n8n`,
		`Open **Settings → Community Nodes → Install a community node** in n8n and enter \`${name}\`. Then close the settings`,
	],
	availability: [
		'The package is not on npm yet, so only the tarball can be installed.',
		'The package is on npm.',
	],
	versions: ['The latest version only. Nothing is published yet.', 'The latest version only.'],
};

const SENTENCE = /(<!--published:(\w+)-->)[^]*?(<!--\/published-->)/g;
const say = (_all: string, begin: string, key: string, end: string) =>
	begin + SENTENCES[key][published ? 1 : 0] + end;

export function identified(): Map<string, string> {
	const texts = new Map<string, string>();
	for (const [files, text, written] of PLACES) {
		for (const path of files) {
			const today = texts.get(path) ?? readFileSync(path, 'utf8');
			if (today.search(text) < 0) throw new Error(`${path} does not say where "${written}" goes.`);
			texts.set(path, today.replace(text, written));
		}
	}
	for (const path of ['README.md', 'SECURITY.md', 'docs/install.md'])
		texts.set(path, (texts.get(path) ?? readFileSync(path, 'utf8')).replace(SENTENCE, say));
	return texts;
}
