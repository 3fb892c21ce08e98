import type { INodeParameters } from 'n8n-workflow';
import { scriptedEngine } from '../../support/engine/fixtures';
import { DELETE, MATCH, UPDATE } from './mapping';

/** The body of a successful match (D2 § POST /custom/appointment/match). */
const MATCHED = 'Successfully matched conversation to event';

const KEY = 'secret-key-1';

describe('an answer with status 200', () => {
	const { server: service, engine } = scriptedEngine(KEY);

	const run = async (parameters: INodeParameters, body: string, ids = ['a']) => {
		service.respond([{ status: 200, body }]);
		return await engine.runNode(
			'conversationIntelligenceAppointments',
			{ resource: 'appointment', ...parameters },
			{ input: ids.map((id) => ({ json: { id } })) },
		);
	};

	test.each([
		[' "Created"\n', 'Created'],
		['say "hi"', 'say "hi"'],
		['"hi" he said', '"hi" he said'],
		['"two\nlines"', 'two\nlines'],
	])('is output as text, a JSON string without its quotes: %j', async (body, response) => {
		expect((await run(DELETE, body)).items[0].json.response).toBe(response);
	});

	describe.each<[string, INodeParameters]>([
		['update', UPDATE],
		['delete', DELETE],
		['match', MATCH],
	])('to %s', (_operation, parameters) => {
		test.each([
			`<!DOCTYPE html><title>Sign in as ${KEY}</title>`,
			'\n  <html lang="en"><body>Sign in</body></html>',
			'<!-- proxy --><p>Sign in</p>',
			'<?xml version="1.0"?><html/>',
			'\uFEFF<HEAD>',
		])('fails when it is a web page: %j', async (body) => {
			const { error, items } = await run(parameters, body);

			expect(error?.message).toBe('The service\'s response is a web page, not a confirmation (Event ID "a")');
			expect(error?.description).toMatch(
				/^Status 200.*Check the Base URL in the CRM Appointment API credential.*proxy/,
			);
			expect(error?.description).not.toContain(KEY);
			expect(items).toEqual([]);
			expect(service.seen).toHaveLength(1);
		});

		test.each(['', 'Processed', '"Created"', '{"ok":true}', '<3', '1 < 2', '<bodywork> saved'])(
			'is a success in any other words, because D2 does not specify them: %j',
			async (body) => {
				const { error, items } = await run(parameters, body);

				expect(error).toBeUndefined();
				expect([items[0].json.event_id, items[0].json.status]).toEqual(['a', 200]);
			},
		);
	});

	// D2-MATCH-01
	test.each([MATCHED, JSON.stringify(MATCHED), `${MATCHED}\n`])(
		"to a match gives no hint in D2's words: %j",
		async (body) => {
			const { items, hints } = await run(MATCH, body);

			expect([items[0].json.matched, items[0].json.response]).toEqual([true, MATCHED]);
			expect(hints).toEqual([]);
		},
	);

	test.each(['Welcome', `Soon: ${MATCHED}`, `${MATCHED} later`])(
		'to a match stays a success with another reply, and one hint says so for all items: %j',
		async (reply) => {
			const { items, hints } = await run(MATCH, reply, ['a', 'a', 'a']);

			expect(items.map(({ json }) => [json.matched, json.response])).toEqual(Array(3).fill([true, reply]));
			expect(hints).toHaveLength(1);
			expect(items[2].json.warnings).toEqual([hints[0].message.replace(' [Item 0]', '')]);
			expect(hints[0].message).toMatch(
				/^Matched, but the service returned an unexpected response \[Item 0\].*web app/,
			);
		},
	);

	test('to a match in other words gives a hint that does not name a single item', async () => {
		const { items, hints } = await run(MATCH, 'Welcome');

		expect(hints.map(({ message }) => message)).toEqual(items[0].json.warnings);
	});
});
