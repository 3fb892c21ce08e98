/** Who publishes the package, as `identity.json` says: written by `npm run generate` wherever it is needed. */
import { readFileSync } from 'node:fs';
import { n8n } from '../package.json';
import { author, documentation, email, organization, repository } from '../identity.json';

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
	[CREDENTIALS, /https:\S+(?=\/[\w-]+\.md)/g, documentation],
	[CODEX, /https:\S+(?=\/[\w-]+\.md)/g, documentation],
];

export function identified(): Map<string, string> {
	const texts = new Map<string, string>();
	for (const [files, text, written] of PLACES) {
		for (const path of files) {
			const today = texts.get(path) ?? readFileSync(path, 'utf8');
			if (today.search(text) < 0) throw new Error(`${path} does not say where "${written}" goes.`);
			texts.set(path, today.replace(text, written));
		}
	}
	return texts;
}
