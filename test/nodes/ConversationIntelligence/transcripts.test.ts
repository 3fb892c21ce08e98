import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { sandboxExport, scriptedExport } from './exportNode';

const WITH_TRANSCRIPT = { output: 'simplified', options: { includeTranscript: true } };
const ID = '3f2b8c1e-5d7a-4c66-9b1f-0a2d4e6f8a10';

describe('Transcripts of a list of several pages', () => {
	const { sandbox, run } = sandboxExport({ conversations: 60 });

	test.each([
		['only after all pages, if rows become items', 'items', ['api', 'media']],
		['with their page, if rows become a file', 'file', ['api', 'media', 'api', 'media']],
	])('are requested %s', async (_when, outputAs, expected) => {
		await run({ ...WITH_TRANSCRIPT, outputAs });
		const hosts = sandbox.requests.list().map(({ host }) => (host === 'media' ? 'media' : 'api'));
		expect(hosts.filter((host, index) => host !== hosts[index - 1])).toEqual(expected);
		expect(hosts.filter((host) => host === 'media')).toHaveLength(60);
	});
});

describe('Conversation Intelligence: Include Transcript', () => {
	const { run } = sandboxExport({ conversations: 12, errored: 3 });

	test('adds the same text or turns to Get and Get Many as Download Transcript returns', async () => {
		const { items } = await run({ returnAll: false, limit: 1 });
		const one = { conversationId: items[0].json.conversationId, output: 'simplified' };
		const got = await run({ ...one, operation: 'get', ...WITH_TRANSCRIPT });
		const downloaded = await run({ ...one, operation: 'downloadTranscript' });

		expect(got.items[0].json.transcript).toBe(downloaded.items[0].json.transcript);
		expect(Object.keys(got.items[0].json)).toHaveLength(16);
		const asTurns = { options: { includeTranscript: true, transcriptAs: 'turns' } };
		const turns = (await run({ ...one, operation: 'downloadTranscript', transcriptOutput: 'turns' })).items;
		const [{ json }] = (await run({ ...one, operation: 'get', ...asTurns })).items;
		expect(turns.map((turn) => turn.json)).toMatchObject(json.transcript as IDataObject[]);
		const [listed] = (await run({ returnAll: false, limit: 1, ...asTurns })).items;
		expect(listed.json.transcript).toEqual(json.transcript);
	});
});

describe('Transcripts of a scripted media host', () => {
	const { server, run } = scriptedExport();

	test('reports an unreadable transcript in its row and does not fail the list', async () => {
		const row = (n: number) => ({
			conversationId: `${ID.slice(0, -1)}${n}`,
			transcriptUrl: `${server.url}/t${n}?sig=s`,
		});
		server.respond(({ url }) => {
			if (url.startsWith('/t1')) return { status: 200, body: '[{"speaker":"Ana","word":"Hello","start":0}]' };
			if (url.startsWith('/t2')) return { status: 200, body: '{"no":"list"}' };
			if (url.startsWith('/t3')) return { status: 403 };
			if (url.startsWith('/t4')) return { status: 200, body: '[{"speaker":"Ana","said":"Hello"}]' };
			if (url.startsWith('/t5')) return { status: 200, body: '[{"text":"Still here","start":3725}]' };
			if (url.startsWith('/export/conversations/')) return { status: 200, body: JSON.stringify(row(3)) };
			const conversations = [1, 2, 3, 4, 5].map(row).concat({ conversationId: 'x', transcriptUrl: '' });
			return { status: 200, body: JSON.stringify({ conversations, totalConversations: 6 }) };
		});
		const { items, error, hints } = await run(WITH_TRANSCRIPT);

		expect(error).toBeUndefined();
		expect(items.map(({ json }) => [json.transcript, json.transcriptError])).toEqual([
			['[00:00] Ana: Hello', null],
			[
				null,
				expect.stringMatching(/^The transcript is not a JSON list of words.*\. To look at it, set Return As/),
			],
			[null, expect.stringMatching(/^The transcript could not .*status 403, even with a fresh link/)],
			[
				null,
				expect.stringMatching(/^The words of .* not found: its entries have the fields "speaker", "said"\./),
			],
			['[1:02:05] Still here', null],
			[null, 'The conversation has no transcript'],
		]);
		expect(JSON.stringify(items)).not.toContain('sig=');
		expect(hints.map(({ message }) => message)).toContain(
			'4 of 6 transcripts could not be read: see transcriptError.',
		);
		const unclear = 'It is not clear who speaks: the words have the fields "text", "start".';
		expect(items.map(({ json }) => json.transcriptWarning)).toEqual([null, null, null, null, unclear, null]);
		expect(hints.map(({ message }) => message)).toContain(
			'In 1 of 6 transcripts it is not clear who speaks: see transcriptWarning.',
		);
	});

	const serve = (words: IDataObject[]) =>
		server.respond(({ url }) => {
			const row = { conversationId: ID, transcriptUrl: `${server.url}/t` };
			return { status: 200, body: JSON.stringify(url === '/t' ? words : row) };
		});
	const download = async (parameters: INodeParameters) =>
		await run({ operation: 'downloadTranscript', conversationId: ID, ...parameters });

	test('keeps what each entry says of itself when it returns items', async () => {
		const entry = { word: 'Hello', conversationId: 'of the entry', rowKey: 1 };
		serve([entry]);
		const { items } = await download({ transcriptOutput: 'items' });
		expect(items.map(({ json }) => json)).toEqual([entry]);
	});

	test('says in items, as a hint and in the log if it is not clear who speaks', async () => {
		serve([{ gist: 'Ana', word: 'Hello', start: 1 }]);
		const warnings = ['It is not clear who speaks: the words have the fields "gist", "word", "start".'];
		const text = await download({});
		expect(text.items[0].json).toMatchObject({ transcript: '[00:01] Hello', warnings });
		expect(text.hints.map(({ message }) => message)).toEqual(warnings);
		const turns = await download({ transcriptOutput: 'turns' });
		expect(turns.items[0].json).toMatchObject({ speaker: null, isRep: null, text: 'Hello', warnings });
		const got = await run({ operation: 'get', conversationId: ID, ...WITH_TRANSCRIPT });
		expect(got.items[0].json.transcriptWarning).toBe(warnings[0]);
		expect(got.hints.map(({ message }) => message)).toContain(warnings[0]);
	});

	test('bounds a text for people too, its last line included, and never turns', async () => {
		serve(Array.from({ length: 20_000 }, (_, index) => ({ speaker: 'Ana', word: `w${index}` })));
		const maxTranscriptLength = 32_767;
		const options = { includeTranscript: true, maxTranscriptLength };
		const get = { operation: 'get', conversationId: ID, options };
		const [downloaded, got, turns] = [
			await download({ maxTranscriptLength }),
			await run(get),
			await run({ ...get, options: { ...options, transcriptAs: 'turns' } }),
		].map(({ items }) => items[0].json.transcript);
		expect(downloaded).toMatch(/\n\[Cut: 32,6\d\d of 128,894 characters\]$/);
		expect(String(downloaded).length).toBeLessThanOrEqual(maxTranscriptLength);
		expect(got).toBe(downloaded);
		expect((turns as IDataObject[])[0].text).toHaveLength(128_889);
		expect((await download({})).items[0].json.transcript).toHaveLength(128_894);
	});
});
