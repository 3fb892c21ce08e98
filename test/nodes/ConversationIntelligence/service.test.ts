import { DateTime } from 'luxon';
import type { INode, INodeParameters } from 'n8n-workflow';
import { ConversationIntelligence } from '../../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import { createEngine } from '../../support/engine';
import { sandboxEngine } from '../../support/engine/fixtures';
import { GET_ALL, RANGE } from './listing';

const { sandbox, engine } = sandboxEngine([ConversationIntelligence], { conversations: 300 });
beforeEach(() => {
	sandbox.requests.reset();
	sandbox.faults.clear();
});

/** Runs Get Many of all conversations, or what the parameters say instead. */
const list = async (parameters: object, options: Parameters<typeof engine.runNode>[2] = {}) =>
	await engine.runNode('conversationIntelligence', { ...GET_ALL, ...parameters }, options);

// D1-GET-03..04, D1-AUTH-02, D1-DOES-05, D1-ERR-02
test('a conversation outside the teams of a key gets the same message as one that does not exist', async () => {
	const credential = { baseUrl: sandbox.exportUrl, apiKey: sandbox.keys.team };
	const team = await createEngine([ConversationIntelligence], { conversationExportApi: credential });
	const get = async (conversationId: string) => {
		const parameters = { ...GET_ALL, operation: 'get', conversationId };
		const { message, description, context } = (await team.runNode('conversationIntelligence', parameters))
			.error!;
		return { ...(context!.details as object), message, about: description!.replaceAll(conversationId, 'ID') };
	};
	const { items } = await team.runNode('conversationIntelligence', GET_ALL);
	const visible = items.map(({ json }) => json.conversationId);
	const conversationId = sandbox.control.conversationIds(0, 60).find((id) => !visible.includes(id))!;
	expect(visible).not.toEqual([]);
	const own = await list({ operation: 'get', conversationId });
	expect(own.items).toMatchObject([{ json: { conversationId } }]);
	const hidden = await get(conversationId);
	expect(hidden).toMatchObject({ code: 'conversation_not_found', status: 404, conversationId });
	const absent = '00000000-0000-4000-8000-000000000000';
	expect(await get(absent)).toEqual({ ...hidden, conversationId: absent });
});

test.each([
	['only after all pages, if rows become items', 'items', ['api', 'media']],
	['with their page, if rows become a file', 'file', ['api', 'media', 'api', 'media']],
])('transcripts are requested %s', async (_when, outputAs, expected) => {
	const newest = await list({ returnAll: false, limit: 60 });
	const fromDate = newest.items.at(-1)!.json.date;
	sandbox.requests.reset();
	await list({ output: 'simplified', options: { includeTranscript: true }, outputAs, fromDate });
	const hosts = sandbox.requests.list().map(({ host }) => (host === 'media' ? 'media' : 'api'));
	expect(hosts.filter((host, index) => host !== hosts[index - 1])).toEqual(expected);
	expect(hosts.filter((host) => host === 'media')).toHaveLength(60);
});

test('the files of one run never have the same name, and their items say how long they are', async () => {
	const input = ['', '', 'all.CSV', 'all', 'ALL'].map((fileName) => ({ json: { fileName } }));
	const format = { fileFormat: 'csv', fileOptions: { gzip: true, fileName: '={{ $json.fileName }}' } };
	const { items, hints } = await list({ outputAs: 'file', ...format }, { input, timezone: 'Asia/Kathmandu' });
	const made = 'conversations_2020-01-01T0545_2030-01-01T0545';
	const names = [made, `${made}_2`, 'all', 'all_2', 'ALL'].map((name) => `${name}.csv.gz`);
	expect(items.map(({ json }) => json.fileName)).toEqual(names);
	expect(items.map(({ binary }) => binary!.data.fileName)).toEqual(names);
	expect(hints).toEqual([]);
	expect(items[2].json.bytes).toBe((await engine.binary(items[2].binary!.data)).length);
});

const BY_DEFAULT = { resource: 'conversation', operation: 'getAll', output: 'raw', ...RANGE };

test.each([
	['file', {}, 300, true],
	['={{ "file" }}', {}, 300, true],
	['file', { returnAll: false }, 50, false],
	['file', { returnAll: false, limit: 300 }, 300, true],
])(
	'with Return As %s and %j, a file has %i rows and is complete: %s',
	async (outputAs, limits, rows, complete) => {
		const chosen = { ...BY_DEFAULT, outputAs, fileFormat: 'ndjson', ...limits };
		const { items } = await engine.runNode('conversationIntelligence', chosen);
		const cut =
			'These are the newest 50 of 300 conversations in the date range: turn on Return All to get the rest.';
		expect(items).toMatchObject([{ json: { rows, complete, incompleteReason: complete ? null : cut } }]);
	},
);

test('with Return As Items, fifty rows are returned unless Return All is on', async () => {
	expect((await engine.runNode('conversationIntelligence', BY_DEFAULT)).items).toHaveLength(50);
});

describe('On Error of a list', () => {
	const run = async (parameters: object, onError: INode['onError'] = 'continueErrorOutput') =>
		await list(parameters, { onError });
	const makeUnreadable = (...places: number[]) => {
		for (const [text] of places.map((place) => sandbox.control.conversationIds(place)))
			sandbox.faults.add({ kind: 'unreadableRow', status: 400, text });
	};
	const DATE = expect.stringMatching(/Z$/);
	const GAP = {
		error: 'Part of the range could not be read: the service refused the request',
		message: expect.stringContaining('Date Range Custom'),
		details: {
			...{ code: 'list_incomplete', retryable: false, status: 400, item: 0 },
			...{ response: 'Internal Server Error', fromDate: DATE, toDate: DATE },
		},
	};

	test('Continue returns what can be read, and then each range that cannot, in the error output if there is one', async () => {
		makeUnreadable(60, 240);
		const { items, errorItems, error, hints } = await run({});
		expect(error).toBeUndefined();
		expect(errorItems.map(({ json }) => json)).toEqual([GAP, GAP]);
		expect(hints.map(({ message }) => message)).toContain('2 parts of the date range could not be read.');
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
		expect(new Set(items.map(({ json }) => json.conversationId)).size).toBe(300);
	});

	test('returns the gap of a file next to the file', async () => {
		makeUnreadable(60);
		const { items, errorItems } = await run({ outputAs: 'file' });
		const incompleteReason = '1 parts of the date range could not be read.';
		expect(items).toMatchObject([{ json: { complete: false, incompleteReason } }]);
		expect(errorItems.map(({ json }) => json)).toEqual([GAP]);
		const lines = (await engine.binary(items[0].binary!.data)).toString('utf8').trimEnd().split('\n');
		expect(lines).toHaveLength(items[0].json.rows as number);
	});

	test('Stop returns nothing, and neither does Continue when the key is refused later', async () => {
		makeUnreadable(60);
		const { items, error } = await run({}, 'stopWorkflow');
		expect(items).toEqual([]);
		expect(error?.context?.details).toMatchObject({ code: 'request_refused', status: 400 });
		expect(error?.message).toBe('Could not read the whole list: the service refused the request');
		expect(error?.description).toMatch(/^.+\. No items were returned\. .*, or set On Error to Continue/s);
		sandbox.faults.add({ kind: 'htmlPage', status: 403, body: { page: 2 } });
		const refused = await run({});
		const message = expect.stringMatching(/\. No items were returned\. Run the workflow again\.$/) as string;
		expect(refused).toMatchObject({ items: [], errorItems: [{ json: { message } }] });
	});

	test('fails as a whole with its first cause alone when its first page is refused, or none can be read', async () => {
		for (const [fault, error] of [
			[{ kind: 'htmlPage', status: 400, body: { page: 1 } }, 'A firewall or proxy refused the request'],
			[{ kind: 'brokenJson', text: '{"a" 1}', times: 1 }, "The service's response is not valid JSON"],
		] as const) {
			sandbox.faults.clear();
			sandbox.faults.add(fault);
			sandbox.faults.add({ kind: 'htmlPage', status: 200 });
			expect(await run({})).toMatchObject({ items: [], errorItems: [{ json: { error } }] });
		}
	});
});

describe('Conversation Intelligence as the tool of an AI agent', () => {
	const run = async (parameters: object, query: string | object = 'the latest calls') => {
		const chosen = { resource: 'conversation', operation: 'getAll', ...parameters };
		const input = [{ json: { toolCallId: 'call-1', query } }];
		return await engine.runNode('conversationIntelligenceTool', chosen, { input, timezone: 'UTC' });
	};

	test('returns ten simplified rows by default, without signed links, and says that there are more', async () => {
		const { items } = await run(RANGE);
		const note = expect.stringMatching(
			/^These are the newest 10 of 300 conversations in the date range: /,
		) as string;
		expect(items).toHaveLength(11);
		expect(items[10].json).toEqual({ rows: 10, note });
		expect(JSON.stringify(items)).not.toMatch(/transcriptUrl|audioUrl|signature|toolCallId/);
	});

	test('gets all rows by searching again as the notes of cut results say, and learns which day is today', async () => {
		const seen = new Set<unknown>();
		// Without a To Date at first, and without any setting for dates.
		const query: { from_date: string; to_date?: string } = { from_date: '2020-01-01' };
		do {
			const { items } = await run({ limit: 50 }, query);
			const { note } = items.pop()!.json;
			for (const { json } of items) seen.add(json.conversationId);
			expect(note).toContain(
				`Today is ${DateTime.utc().toFormat('cccc, yyyy-MM-dd', { locale: 'en' })} (UTC).`,
			);
			query.to_date = /search again with the To Date (\S+) to/.exec(String(note))?.[1] ?? '';
		} while (query.to_date !== '');
		expect(seen.size).toBe(300);
	});

	test('returns at most fifty rows, never all or a file, and says so to a model that asks for more', async () => {
		const { items } = await run({ ...RANGE, returnAll: true, outputAs: 'file', limit: 50 });
		expect(items.filter(({ json }) => 'conversationId' in json)).toHaveLength(50);
		expect(items[0]).not.toHaveProperty('binary');
		// One text, without an item number.
		const { error } = await run({ ...RANGE, limit: 51 });
		expect(error?.message).toContain('Limit must be a whole number from 1 to 50 (it is 51)');
	});

	test('cuts each transcript to the length that the user chose, and lets the model read on', async () => {
		const maxTranscriptLength = 100;
		const options = { includeTranscript: true, maxTranscriptLength };
		const { items } = await run({ ...RANGE, limit: 2, options });
		const cut = (next: string) =>
			new RegExp(
				`^\\[00:00\\] [^]{60,90}\\n\\[Cut: \\d+ of \\d,\\d+ characters. ${next} From Position (\\d+)\\]$`,
			);
		const texts = items.slice(0, 2).map(({ json }) => String(json.transcript));
		for (const text of texts) expect(text).toMatch(cut('Continue in Download Transcript with'));
		const conversationId = { __rl: true, mode: 'id', value: items[0].json.conversationId };
		const download = async (query?: object) => {
			const one = await run({ operation: 'downloadTranscript', conversationId, maxTranscriptLength }, query);
			return String(one.items[0].json.transcript);
		};
		const whole = await download();
		expect(texts[0].startsWith(`${whole.split('\n[')[0]}\n[Cut`)).toBe(true);
		const from_position = Number(cut('Continue with').exec(whole)![1]);
		expect(await download({ from_position })).toMatch(/^\[00:\d\d\] /);
		expect(await download({ from_position: 1e6 })).toMatch(/^\[No words from position 1000000 on/);
	});

	test('is told in an item what a person sees as hints', async () => {
		const noteOf = async (parameters: object) =>
			(await run({ ...RANGE, ...parameters })).items.at(-1)?.json.note;
		expect(await noteOf({ resource: 'team', limit: 2 })).toMatch(
			/^These are the first 2 of 8 teams: to get the rest, a/,
		);
		expect(await noteOf({ resource: 'team' })).toMatch(/ Today is \w+day, [\d-]{10} \(UTC\)\.$/);
	});
});
