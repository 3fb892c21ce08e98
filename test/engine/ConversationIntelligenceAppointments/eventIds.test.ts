import fc from 'fast-check';
import { scriptedEngine } from '../../support/engine/fixtures';

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
	const { server: service, engine } = scriptedEngine();

	/** Deletes and matches the given IDs, numbers as text. Returns the IDs that the service read from path and body. */
	const send = async (ids: Array<string | number>) => {
		service.respond(() => ({ status: 200 }));
		const input = ids.map((id) => ({ json: { id } }));
		const common = { resource: 'appointment', eventId: '={{ $json.id }}', options: { concurrency: 10 } };
		const deleted = await engine.runNode(
			'conversationIntelligenceAppointments',
			{ ...common, operation: 'delete' },
			{ input },
		);
		const matched = await engine.runNode(
			'conversationIntelligenceAppointments',
			{ ...common, operation: 'match', conversationId: '3f2b8c1e-5d7a-4c66-9b1f-0a2d4e6f8a10' },
			{ input },
		);
		expect([deleted.error, matched.error]).toEqual([undefined, undefined]);
		const paths = service.seen.filter(({ method }) => method === 'DELETE').map(({ url }) => url);
		expect(paths.every((path) => path.startsWith(PREFIX) && !path.slice(PREFIX.length).includes('/'))).toBe(
			true,
		);
		return {
			paths: paths.map((path) => decodeURIComponent(path.slice(PREFIX.length))).sort(),
			bodies: service.seen.flatMap(({ body }) => (body ? [body.event_id as string] : [])).sort(),
			outputs: deleted.items.map(({ json }) => json.event_id),
		};
	};

	// D2-DEL-01
	test('survives the path, the body and the output, whatever it contains', async () => {
		const id = fc
			.string({ unit: 'binary', minLength: 1, maxLength: 30 })
			.filter((one) => one.trim() !== '' && !['.', '..'].includes(one));
		const ids = [...new Set([...AWKWARD, ...fc.sample(id, { numRuns: 100, seed: 1 })])];
		const sorted = [...ids].sort();
		await expect(send(ids)).resolves.toEqual({ paths: sorted, bodies: sorted, outputs: ids });
	});

	test('can be a number', async () => {
		await expect(send([1042])).resolves.toEqual({ paths: ['1042'], bodies: ['1042'], outputs: ['1042'] });
	});
});
