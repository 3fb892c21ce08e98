import type { INodeParameters } from 'n8n-workflow';
import { DELETE, MATCH, scriptedNode, UPDATE } from './mapping';

/** The body of a successful match (D2 § POST /custom/appointment/match). */
const MATCHED = 'Successfully matched conversation to event';

const KEY = 'secret-key-1';

describe('a response with status 200', () => {
	const { service, run: runNode } = scriptedNode(KEY);

	const run = async (parameters: INodeParameters, body: string, ids = ['a']) => {
		service.respond([{ status: 200, body }]);
		return await runNode(
			parameters,
			ids.map((id) => ({ id })),
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
				expect(items[0].json).toMatchObject({
					event_id: 'a',
					status: 200,
				});
			},
		);
	});

	// D2-MATCH-01
	test.each([MATCHED, JSON.stringify(MATCHED), `${MATCHED}\n`])(
		"to a match gives no hint in D2's words: %j",
		async (body) => {
			const { items, hints } = await run(MATCH, body);

			expect(items[0].json).toMatchObject({
				matched: true,
				response: MATCHED,
			});
			expect(hints).toEqual([]);
		},
	);

	test.each([
		['Welcome', 3, ' [Item 0]'],
		[`Soon: ${MATCHED}`, 3, ' [Item 0]'],
		[`${MATCHED} later`, 3, ' [Item 0]'],
		['Welcome', 1, ''],
	])('to a match in other words is a success with one hint: %j to %i items', async (reply, count, place) => {
		const { items, hints } = await run(MATCH, reply, Array(count).fill('a'));

		expect(items.map(({ json }) => [json.matched, json.response])).toEqual(Array(count).fill([true, reply]));
		expect(hints).toHaveLength(1);
		expect(items.at(-1)?.json.warnings).toEqual([hints[0].message.replace(place, '')]);
		expect(hints[0].message).toBe(
			`Matched, but the service returned an unexpected response${place}: see "response". Check your service's web app.`,
		);
	});
});
