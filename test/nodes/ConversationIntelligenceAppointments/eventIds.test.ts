import fc from 'fast-check';
import { DELETE, MATCH, scriptedNode } from './mapping';

const PREFIX = '/crm/custom/appointment/';
const AWKWARD = [
	'a/b',
	'/',
	'//',
	'a b',
	' a ',
	'+',
	'a+b',
	'%',
	'%2F',
	'100%',
	'?x=1&y',
	'#',
	'.a',
	'a..',
	'...',
	'\\',
	';,:@&=$!*()\'"<>',
	'ünï',
	'🎉👩‍👩‍👧',
	'日本',
	'__proto__',
	'{{ 1 }}',
	'=x',
];

describe('an event ID', () => {
	const { service, run, bodies } = scriptedNode();

	/** Deletes and matches the given IDs. Returns the IDs that the service read from path and body, as text. */
	const send = async (ids: Array<string | number>) => {
		service.respond(() => ({ status: 200 }));
		const rows = ids.map((id) => ({ id }));
		const options = { concurrency: 10 };
		const deleted = await run({ ...DELETE, options }, rows);
		const matched = await run({ ...MATCH, options }, rows);
		expect({ deleted: deleted.error, matched: matched.error }).toEqual({
			deleted: undefined,
			matched: undefined,
		});
		const paths = service.seen.filter(({ method }) => method === 'DELETE').map(({ url }) => url);
		expect(paths.every((path) => path.startsWith(PREFIX) && !path.slice(PREFIX.length).includes('/'))).toBe(
			true,
		);
		return {
			paths: paths.map((path) => decodeURIComponent(path.slice(PREFIX.length))).sort(),
			bodies: bodies()
				.flatMap((body) => (body ? [body.event_id as string] : []))
				.sort(),
			outputs: deleted.items.map(({ json }) => json.event_id),
		};
	};

	// D2-DEL-01
	test('survives the path, the body and the output, whatever it contains, and can be a number', async () => {
		const id = fc
			.string({ unit: 'binary', minLength: 1, maxLength: 30 })
			.filter((one) => one.trim() !== '' && !['.', '..'].includes(one));
		const ids = [...new Set([...AWKWARD, ...fc.sample(id, { numRuns: 100, seed: 1 }), '1042'])];
		const sorted = [...ids].sort();
		const given = ids.map((one) => (one === '1042' ? 1042 : one));
		await expect(send(given)).resolves.toEqual({ paths: sorted, bodies: sorted, outputs: ids });
	});
});
