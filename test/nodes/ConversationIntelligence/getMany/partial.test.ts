import type { INode, INodeParameters } from 'n8n-workflow';
import { sandboxExport } from '../exportNode';

describe('Conversation Intelligence: On Error of a list', () => {
	const { sandbox, engine, run: list } = sandboxExport({ conversations: 300 });

	const run = async (parameters: object, onError: INode['onError'] = 'continueErrorOutput') =>
		await list(parameters, { onError });

	const idsOf = (items: Array<{ json: Record<string, unknown> }>) =>
		new Set(items.flatMap(({ json }) => json.conversationId ?? []));

	const makeUnreadable = (...places: number[]) => {
		for (const place of places) {
			const [text] = sandbox.control.conversationIds(place);
			sandbox.faults.add({ kind: 'unreadableRow', status: 400, text });
		}
	};

	/** What the gap says about itself. */
	const GAP = {
		error: 'Part of the range could not be read: the service refused the request',
		message: expect.stringContaining('Date Range Custom'),
		details: {
			code: 'list_incomplete',
			retryable: false,
			status: 400,
			item: 0,
			response: expect.any(String),
			fromDate: expect.stringMatching(/Z$/),
			toDate: expect.stringMatching(/Z$/),
		},
	};

	test('Continue returns what can be read, and then each range that cannot, in the error output if there is one', async () => {
		makeUnreadable(60, 240);
		const { items, errorItems, error, hints } = await run({});

		expect(error).toBeUndefined();
		expect(errorItems.map(({ json }) => json)).toEqual([GAP, GAP]);
		expect(hints.map(({ message }) => message)).toContain('2 parts of the range could not be read.');
		expect(items.length).toBeGreaterThanOrEqual(260);
		expect(new Set(items.map(({ json }) => Object.keys(json).join())).size).toBe(1);
		const inOne = await run({}, 'continueRegularOutput');
		expect(inOne.items.at(-1)!.json).toEqual(GAP);
		expect(inOne.errorItems).toEqual([]);
		sandbox.faults.clear();
		for (const { json } of errorItems) {
			const { fromDate, toDate } = json.details as INodeParameters;
			items.push(...(await run({ fromDate, toDate })).items);
		}
		expect(idsOf(items).size).toBe(300);
	});

	test('returns the gap of a file next to the file', async () => {
		makeUnreadable(60);
		const { items, errorItems } = await run({ outputAs: 'file' });

		expect(items).toHaveLength(1);
		expect(items[0].json).toMatchObject({ complete: false });
		expect(errorItems.map(({ json }) => json)).toEqual([GAP]);
		const lines = (await engine.binary(items[0].binary!.data)).toString('utf8').trimEnd().split('\n');
		expect(lines).toHaveLength(items[0].json.rows as number);
	});

	test('Stop returns nothing, and neither does Continue when the key is refused later', async () => {
		makeUnreadable(60);
		const { items, error } = await run({ options: { concurrency: 1 } }, 'stopWorkflow');

		expect(items).toEqual([]);
		expect(error?.context?.details).toMatchObject({ code: 'request_refused', status: 400 });
		expect(error?.message).toBe('Could not read the whole list: the service refused the request');
		expect(error?.description).toMatch(/^.+\. No items were returned\. .*, or set On Error to Continue/s);
		sandbox.faults.add({ kind: 'htmlPage', status: 403, body: { page: 2 } });
		const refused = await run({ options: { concurrency: 1 } });
		const message = expect.stringMatching(/\. No items were returned\. Run the workflow again\.$/) as string;
		expect(refused).toMatchObject({ items: [], errorItems: [{ json: { message } }] });
	});

	test.each([
		[
			'the first is refused',
			{ kind: 'htmlPage', status: 400, body: { page: 1 } },
			'A firewall or proxy refused the request',
		],
		[
			'none can be read',
			{ kind: 'brokenJson', text: '{', times: 1 },
			"The service's response is not valid JSON",
		],
	] as const)(
		'fails as a whole with its first cause alone when of its pages %s',
		async (_when, fault, cause) => {
			sandbox.faults.add(fault);
			sandbox.faults.add({ kind: 'htmlPage', status: 200 });
			const { items, errorItems } = await run({});
			expect(items).toEqual([]);
			expect(errorItems.map(({ json }) => json.error)).toEqual([cause]);
		},
	);
});
