import { sandboxExport } from '../exportNode';

const AUDIO = { operation: 'downloadAudio' };
const TRANSCRIPT = { operation: 'downloadTranscript' };
const BY_ID = { conversationId: { __rl: true, mode: 'id', value: '={{ $json.conversationId }}' } };

describe('Conversation Intelligence: downloads', () => {
	const { engine, run: list } = sandboxExport({ conversations: 20 });
	let conversations: Array<{ json: Record<string, string> }>;

	beforeAll(async () => {
		const { items } = await list({ returnAll: false, limit: 3 });
		conversations = items.map(({ json }) => ({ json: json as Record<string, string> }));
	});

	const run = async (parameters: object, input = conversations) =>
		await list({ ...BY_ID, ...parameters }, { input });

	test('streams audio into a file named after the conversation', async () => {
		const { items, error } = await run(AUDIO);

		expect(error).toBeUndefined();
		expect(items).toHaveLength(3);
		for (const [index, { json, binary, pairedItem }] of items.entries()) {
			const { conversationId, audioUrl } = conversations[index].json;
			const direct = Buffer.from(await (await fetch(audioUrl)).arrayBuffer());
			expect(await engine.binary(binary!.data)).toEqual(direct);
			expect(json).toMatchObject({ conversationId, mimeType: 'audio/wav', bytes: direct.length });
			expect(json.fileName).toMatch(new RegExp(`${conversationId}\\.wav$`));
			expect(pairedItem).toEqual({ item: index });
		}
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

	test('returns the turns of a transcript, which joined are its text', async () => {
		const [{ json: conversation }] = conversations;
		const turns = await run({ ...TRANSCRIPT, transcriptOutput: 'turns' }, [conversations[0]]);
		const text = await run({ ...TRANSCRIPT, transcriptOutput: 'text' }, [conversations[0]]);

		const { conversationId, serviceUrl } = conversation;
		const rows = turns.items.map(({ json }) => json);
		const lines = rows.map(({ speaker, text }) => `${String(speaker)}: ${String(text)}`).join('\n');
		expect(lines).toBe((text.items[0].json.transcript as string).replace(/^\[[\d:]+\] /gm, ''));
		const rep = (conversation.user as unknown as { name: string }).name;
		for (const row of rows) {
			expect(row).toMatchObject({ conversationId, serviceUrl, isRep: row.speaker === rep });
			expect(Number(row.end)).toBeGreaterThan(Number(row.start));
		}
		expect(rows.some(({ isRep }) => isRep)).toBe(true);
	});

	test("keeps the item's other files, so that audio and transcript go into one mail", async () => {
		const data = Buffer.from('text').toString('base64');
		const fileOf = (fileName: string) => ({ data, mimeType: 'text/plain', fileName });
		const binary = { offer: fileOf('offer.txt'), data: fileOf('old.txt') };
		const audio = await run({ ...AUDIO, binaryPropertyName: ' ' }, [
			{ ...conversations[0], binary },
		] as never);
		const both = await run(
			{ ...TRANSCRIPT, transcriptOutput: 'file', binaryPropertyName: 'transcript' },
			audio.items as never,
		);

		expect(Object.keys(both.items[0].binary!)).toEqual(['offer', 'data', 'transcript']);
		const extensions = Object.values(both.items[0].binary!).map(({ fileExtension }) => fileExtension);
		expect(extensions).toEqual([undefined, 'wav', 'json']);
		const text = await run({ ...TRANSCRIPT, transcriptOutput: 'text' }, audio.items as never);
		expect(text.items[0].binary).toBeUndefined();
	});
});
