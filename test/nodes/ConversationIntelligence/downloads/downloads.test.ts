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
		expect(items.items.map(({ json }) => json)).toMatchObject(
			words.map((word) => ({ conversationId, ...word })),
		);
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

	const fileOf = (fileName: string) => ({
		data: Buffer.from('text').toString('base64'),
		mimeType: 'text/plain',
		fileName,
	});
	const FORMS = ['text', 'textFile', 'turns', 'items', 'file'].map((transcriptOutput) => ({
		...TRANSCRIPT,
		transcriptOutput,
	}));

	test.each([AUDIO, ...FORMS])(
		'keep fields and files of their own item, not of the first: %j',
		async (form) => {
			const input = [0, 1].map((index) => ({
				json: {
					...conversations[index].json,
					...{ dealId: index, title: 'of the row', warnings: 'of the row', rowKey: 'row' },
				},
				binary: { offer: fileOf(`offer ${index}.txt`), data: fileOf('old.txt') },
			}));
			const { items, hints } = await run(form, input as never);

			const [alone] = (await run(form, [conversations[0]])).items;
			for (const { json, binary: files, pairedItem } of items) {
				const { item: index } = pairedItem as { item: number };
				expect(json).toMatchObject({
					...conversations[index].json,
					...{ dealId: index, title: expect.any(String) },
				});
				expect(Object.keys(files!)).toEqual(['offer', 'data']);
				expect(files!.offer).toEqual(input[index].binary.offer);
			}
			expect(new Set(items.map(({ json }) => json.dealId)).size).toBe(2);
			const { rowKey, warnings, conversationId, speaker } = alone.json;
			expect(items[0].json).toMatchObject({
				...{ conversationId, rowKey: rowKey ?? 'row', warnings: warnings ?? 'of the row' },
				...(speaker !== undefined && { speaker }),
			});
			const place = { turns: 'turns', items: 'words' }[String(Object.values(form)[1])];
			const keys = items.filter(({ json }) => json.dealId === 0).map(({ json }) => json.rowKey);
			const expected = keys.map((_, n) => `${String(conversationId)}/${place}/${n + 1}`);
			if (place) expect(keys).toEqual(expected);
			const isReplaced = items[0].binary!.data.fileName !== 'old.txt';
			expect(isReplaced).toBe(alone.binary !== undefined);
			const replaced =
				'The input\'s file "data" was replaced. To keep both, change Put Output File in Field.';
			expect(hints.map(({ message }) => message)).toEqual(isReplaced ? [replaced] : []);
		},
	);

	test('puts audio and text of a conversation into one item', async () => {
		const audio = await run({ ...AUDIO, binaryPropertyName: ' ' });
		const into = { transcriptOutput: 'textFile', binaryPropertyName: 'transcript', maxTranscriptLength: 10 };
		const { items, hints } = await run({ ...TRANSCRIPT, ...into }, audio.items as never);
		const texts = (await run(TRANSCRIPT)).items.map(({ json }) => json);

		expect(hints).toEqual([]);
		for (const [index, { json, binary }] of items.entries()) {
			const { conversationId, title, words, transcript } = texts[index];
			const stored = await engine.binary(binary!.transcript);
			expect(stored.toString('utf8')).toBe(transcript);
			const fileName = expect.stringMatching(new RegExp(`_${String(conversationId)}\\.txt$`));
			const file = { fileName, mimeType: 'text/plain', bytes: stored.length };
			expect(json).toMatchObject({ conversationId, title, words, warnings: [], ...file });
			expect(binary!.transcript).toMatchObject({ ...file, fileExtension: 'txt' });
			expect(binary!.data.fileExtension).toBe('wav');
		}
	});
});
