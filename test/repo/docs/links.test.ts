import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const root = join(__dirname, '../../..');
const documents = [
	...['README.md', 'CONTRIBUTING.md', 'SECURITY.md'].map((name) => join(root, name)),
	...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.md'))
		.map((name) => join(root, 'docs', name)),
];

/** Headings as GitHub turns them into anchors. */
function anchorsOf(file: string): string[] {
	return [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N}\s_-]/gu, '')
			.replace(/\s/g, '-'),
	);
}

/** What is wrong with a relative link, if anything. */
function defectOf(document: string, link: string): string | undefined {
	const [path, anchor] = link.split('#');
	const file = path === '' ? document : resolve(dirname(document), path);
	if (!existsSync(file)) return 'no such file';
	if (anchor === undefined || statSync(file).isDirectory()) return undefined;
	return anchorsOf(file).includes(anchor) ? undefined : 'no such heading';
}

it.each(documents.map((file) => [relative(root, file), file]))(
	'%s has no broken link, and names no file that does not exist',
	(_name, file) => {
		const links = [...readFileSync(file, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link);
		const broken = links
			.filter((link) => !/^[a-z]+:/.test(link))
			.flatMap((link) => defectOf(file, link)?.concat(`: ${link}`) ?? []);
		expect(broken).toEqual([]);
		const named = [...readFileSync(file, 'utf8').matchAll(/`((?:nodes|sandbox|scripts|test)\/[\w./-]+)`/g)];
		const missing = named
			.map(([, path]) => join(root, path))
			.filter((path) => !existsSync(path) && !existsSync(`${path}.test.ts`));
		expect(missing).toEqual([]);
	},
);
