import { IS_N8N_1 } from '../../../support/engine';
import { sandboxEngine } from '../../../support/engine/fixtures';

const RANGE = { dateRange: 'custom', fromDate: '2020-01-01T00:00:00Z', toDate: '2030-01-01T00:00:00Z' };
const LIST = { resource: 'conversation', operation: 'getAll', output: 'raw', limit: 3, ...RANGE };
const AUDIO = { resource: 'conversation', operation: 'downloadAudio' };
const TRANSCRIPT = { resource: 'conversation', operation: 'downloadTranscript' };
const OTHER = '3f2b8c1e-5d7a-4c66-9b1f-0a2d4e6f8a10';
const BY_ID = { conversationId: { __rl: true, mode: 'id', value: '={{ $json.conversationId }}' } };

describe('Conversation Intelligence: downloads', () => {
	const { sandbox, engine } = sandboxEngine({ conversations: 20 });
	let conversations: Array<{ json: Record<string, string> }>;

	beforeAll(async () => {
		const { items } = await engine.runNode('conversationIntelligence', LIST);
		conversations = items.map(({ json }) => ({ json: json as Record<string, string> }));
	});
	beforeEach(() => {
		sandbox.requests.reset();
		sandbox.faults.clear();
	});

	const run = async (parameters: object, input = conversations, continueOnFail = false) =>
		await engine.runNode('conversationIntelligence', { ...BY_ID, ...parameters } as never, {
			input,
			continueOnFail,
		});
	const media = () => sandbox.requests.list().filter(({ host }) => host === 'media');

	test('streams audio into a file named after the conversation, without any credential', async () => {
		const { items, error } = await run(AUDIO);

		expect(error).toBeUndefined();
		expect(items).toHaveLength(3);
		for (const [index, { json, binary, pairedItem }] of items.entries()) {
			const { conversationId, audioUrl } = conversations[index].json;
			const direct = Buffer.from(await (await fetch(audioUrl)).arrayBuffer());
			expect(await engine.binary(binary!.data)).toEqual(direct);
			expect(json).toMatchObject({
				conversationId,
				mimeType: 'audio/wav',
				...(!IS_N8N_1 && { bytes: direct.length }),
			});
			expect(json.fileName).toMatch(new RegExp(`${conversationId}\\.wav$`));
			expect(pairedItem).toEqual({ item: index });
		}
		expect(media().length).toBeGreaterThan(0);
		expect(media().some(({ headersSeen }) => headersSeen.authorization || headersSeen.xApiKey)).toBe(false);
	});

	test('looks the link of each item up and never opens one of the input', async () => {
		const foreign = conversations.map(({ json }) => ({
			json: { ...json, audioUrl: `${sandbox.exportUrl}/foreign`, urlsExpireAt: '2100-01-01T00:00:00Z' },
		}));
		const { items, error } = await run(AUDIO, foreign);

		expect(error).toBeUndefined();
		expect(items).toHaveLength(3);
		expect(sandbox.requests.count('/data/export/conversations/')).toBe(3);
		expect(sandbox.requests.count('/data/foreign')).toBe(0);
	});

	test('replaces an expired link with a fresh one, once', async () => {
		sandbox.faults.add({ kind: 'expiredLink', path: '/audio', times: 1 });
		const { items, error } = await run(AUDIO, conversations.slice(0, 1));

		expect(error).toBeUndefined();
		expect(items[0].binary!.data.fileName).toMatch(/\.wav$/);
		expect(sandbox.requests.count('/data/export/conversations/')).toBe(2);
		expect(media().map(({ status }) => status)).toEqual([403, 200]);
	});

	test('fails the item with advice when the link stays expired, and never shows the link', async () => {
		sandbox.faults.add({ kind: 'expiredLink', path: '/audio' });
		const { items } = await run(AUDIO, conversations, true);

		expect(items).toHaveLength(3);
		for (const [index, { json, pairedItem }] of items.entries()) {
			expect(json.error).toBe(`The audio could not be downloaded`);
			expect(json.message).toMatch(/answered with status 403, even with a fresh link/);
			expect(JSON.stringify(json)).not.toMatch(/signature|expires=|http/);
			expect(pairedItem).toEqual({ item: index });
		}
	});

	test('retries after a connection that breaks in the middle of the file', async () => {
		sandbox.faults.add({ kind: 'truncatedBody', path: '/audio', times: 1 });
		const { items, error } = await run(AUDIO, conversations.slice(0, 1));

		expect(error).toBeUndefined();
		const direct = Buffer.from(await (await fetch(conversations[0].json.audioUrl)).arrayBuffer());
		expect(await engine.binary(items[0].binary!.data)).toEqual(direct);
	});

	test('returns a transcript as a file, as items and as text', async () => {
		const [conversation] = conversations;
		const words = (await (await fetch(conversation.json.transcriptUrl)).json()) as Array<{
			speaker: string;
			word: string;
			start: number;
		}>;
		const input = [conversation];
		const file = await run({ ...TRANSCRIPT, transcriptOutput: 'file' }, input);
		const items = await run({ ...TRANSCRIPT, transcriptOutput: 'items' }, input);
		const text = await run({ ...TRANSCRIPT, transcriptOutput: 'text' }, input);

		expect(JSON.parse((await engine.binary(file.items[0].binary!.data)).toString())).toEqual(words);
		expect(file.items[0].binary!.data).toMatchObject({ mimeType: 'application/json', fileExtension: 'json' });
		const { conversationId } = conversation.json;
		expect(items.items.map(({ json }) => json)).toEqual(words.map((word) => ({ conversationId, ...word })));
		const transcript = text.items[0].json.transcript as string;
		expect(transcript.split('\n')[0]).toMatch(
			new RegExp(`^\\[00:0\\d\\] ${words[0].speaker}: ${words[0].word} `),
		);
		expect(transcript.replace(/^\[[\d:]+\] [^:]+: /gm, '').split(/\s+/)).toEqual(
			words.flatMap(({ word }) => word.split(/\s+/)),
		);
	});

	test('advises File as the output when the transcript is not a list of words', async () => {
		sandbox.faults.add({ kind: 'brokenJson', path: '/transcripts' });
		sandbox.faults.add({ kind: 'brokenJson', path: '/transcript' });
		const { error } = await run({ ...TRANSCRIPT, transcriptOutput: 'text' }, conversations.slice(0, 1));

		expect(error?.message).toMatch(/^The transcript is not a JSON list of words.*$/);
		expect(error?.description).toBe('Use Download Transcript with the output File to look at it.');
	});

	test.each([
		['', (id: string) => `https://app.example.com/c/${id}?tab=summary`],
		[
			' among other IDs',
			(id: string) => `https://app.example.com/orgs/${OTHER}/conversations/${id}?user=${OTHER}`,
		],
	])('accepts the link of a conversation in the web app%s', async (_what, link) => {
		const { conversationId } = conversations[1].json;
		const { items, error } = await byUrl(link(conversationId));

		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({ conversationId });
		expect(Date.parse(items[0].json.urlsExpireAt as string) - Date.now()).toBeGreaterThan(5.9 * 3_600_000);
	});

	test.each(['https://app.example.com/', `https://app.example.com/c/${OTHER}/${OTHER.replace('3', '4')}`])(
		'refuses the link %s, in which no conversation is named',
		async (link) => {
			const { error } = await byUrl(`={{ "${link}" }}`);
			expect(error?.message).toContain(
				`Conversation must be a UUID or a link with one (it is "${link.slice(0, 99)}`,
			);
			expect(sandbox.requests.list()).toEqual([]);
		},
	);

	const byUrl = async (value: string) =>
		await engine.runNode('conversationIntelligence', {
			resource: 'conversation',
			operation: 'get',
			output: 'raw',
			conversationId: { __rl: true, mode: 'url', value },
		});
});
