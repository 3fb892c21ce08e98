import { randomBytes } from 'node:crypto';
import type { IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';
import { POLICY } from '../../../../nodes/shared/http/policy';
import { allPairs } from '../../../support/allPairs';
import { documentedRow } from '../../../support/engine/documentedRow';
import type { ScriptedResponse } from '../../../support/scriptedServer';
import { scriptedExport } from '../listing';
import { transcriptOf, wordsOf } from '../listsService';

/** Download Transcript by its Return As, Download Audio, and Get with its transcript as text or turns. */
const FACTORS = {
	form: ['audio', 'file', 'items', 'text', 'textFile', 'turns', 'get', 'getTurns'],
	field: ['data', ' ', 'other'],
	maxLength: [0, 20],
	files: ['none', 'offer', 'replaced'],
	speech: ['names', 'unclear'],
	failure: ['none', 'conversation_not_found', 'media_missing', 'conversation_id_invalid'],
	onError: ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'],
} as const;
type Choice = ReturnType<typeof allPairs<typeof FACTORS>>[number];

/** A query that must arrive unchanged, because another encoding would not match its signature. */
const QUERY = `?sig=a%2Fb+c%20d&x=%E2%9C%93&empty=&a=1&name=O'Brien%27s&list="<a>"?{}|^\`[]&%zz`;
const REP = 'Ana Díaz';
const UNCLEAR = 'It is not clear who speaks: the words have the fields "word", "start", "end", "rowKey".';
/** What a word itself says wins. */
const OWN = { rowKey: 'of the word' };

const idOf = (index: number) => `3f2b8c1e-5d7a-4c66-9b1f-00000000000${index}`;
const wordsIn = (index: number, { speech }: Choice): IDataObject[] =>
	wordsOf(index).map(({ speaker, ...word }) => ({ ...word, ...(speech === 'names' ? { speaker } : OWN) }));

const { server, engine, run } = scriptedExport();

/** Conversations 0 to 2; of number 1, something can be missing. */
function serve(choice: Choice): IDataObject[] {
	const rows = [0, 1, 2].map((index) => {
		const linkTo = (file: string) =>
			choice.failure === 'media_missing' && index === 1 ? '' : `${server.url}/${file}/${index}${QUERY}`;
		const links = { audioUrl: linkTo('audio'), transcriptUrl: linkTo('words') };
		const user = documentedRow('RecordingUser', { name: REP });
		const own = { conversationId: idOf(index), title: `Roof, visit ${index}!`, user, ...links };
		return documentedRow('ConversationsExport', own);
	});
	server.respond(({ url, headers }) => {
		const row = rows.find(({ conversationId }) => url === `/export/conversations/${String(conversationId)}`);
		if (row === rows[1] && choice.failure === 'conversation_not_found') return { status: 404 };
		if (row) return { status: 200, body: JSON.stringify(row) };
		const [, file, index] = /^\/(audio|words)\/(\d)/.exec(url)!;
		if (!url.endsWith(QUERY) || JSON.stringify(headers).includes('key-1')) return { status: 400 };
		const sent = { words: JSON.stringify(wordsIn(Number(index), choice)), audio: `sound ${index}` }[file];
		const type = file === 'words' ? 'application/json' : 'Audio/MPEG; a=b';
		return { status: 200, headers: { 'content-type': type }, body: sent };
	});
	return rows;
}

/** The transcript as text and turns. */
function speechOf(index: number, { speech }: Choice) {
	const text = `Hello number ${index} Grüezi.`;
	const turn = { rowKey: `${idOf(index)}/turns/1`, speaker: null, isRep: null };
	const unclear = { ...turn, start: index, end: 62 + index, text };
	if (speech === 'unclear') return { text: `[00:0${index}] ${text}`, turns: [unclear] };
	// Only in the first one does somebody speak by the rep's name.
	const row = { conversationId: `c${index}`, user: { name: index === 0 ? REP : null }, transcriptUrl: 'x' };
	const turns = transcriptOf(row, true) as IDataObject[];
	const keyed = turns.map((own, place) => ({ ...own, rowKey: `${idOf(index)}/turns/${place + 1}` }));
	return { text: String(transcriptOf(row, false)), turns: keyed };
}

/** A text of at most 20 characters, and how many it had. */
const cut = (text: string) =>
	expect.stringMatching(
		new RegExp(
			`^${text.slice(0, 13).replace(/\W/g, '\\$&')}.{0,7}\\n\\[Cut: \\d\\d of ${text.length} characters\\]$`,
		),
	);

/** What each form adds to its item: fields, and the content of a file. */
function addedBy(choice: Choice, row: IDataObject, index: number): Array<[own: object, content?: string]> {
	const { conversationId, title, serviceUrl } = row;
	const { text, turns } = speechOf(index, choice);
	const words = wordsIn(index, choice);
	const warnings = choice.speech === 'names' ? [] : [UNCLEAR];
	const about = { conversationId, title, words: words.length, warnings };
	const file = (content: string, extension: string, mimeType: string, own = {}) => {
		const fileName = `Roof-visit-${index}_${idOf(index)}.${extension}`;
		const bytes = Buffer.from(content).length;
		return [[{ conversationId, ...own, fileName, mimeType, bytes }, content] satisfies [object, string]];
	};
	const transcript = choice.maxLength > 0 ? cut(text) : text;
	const got = (transcript: unknown) =>
		row.transcriptUrl === ''
			? {
					transcript: null,
					transcriptError: expect.stringMatching(/^The conversation has no transcript\. Check/),
					transcriptWarning: null,
				}
			: { transcript, transcriptError: null, transcriptWarning: warnings[0] ?? null };
	const forms: Record<Choice['form'], () => ReturnType<typeof addedBy>> = {
		audio: () => file(`sound ${index}`, 'mp3', 'audio/mpeg'),
		file: () => file(JSON.stringify(words), 'json', 'application/json'),
		textFile: () => file(text, 'txt', 'text/plain', about),
		text: () => [[{ ...about, transcript }]],
		turns: () => turns.map((turn) => [{ conversationId, title, ...turn, serviceUrl, warnings }]),
		items: () =>
			words.map((word, n) => [{ conversationId, rowKey: `${idOf(index)}/words/${n + 1}`, ...word }]),
		get: () => [[{ conversationId, title, ...got(transcript) }]],
		getTurns: () => [[{ conversationId, title, ...got(turns) }]],
	};
	return forms[choice.form]();
}

/** Items with the contents of their files. */
const read = async (items: INodeExecutionData[]) =>
	await Promise.all(
		items.map(async ({ json, binary = {}, pairedItem }) => {
			const contents = Object.entries(binary).map(async ([name, one]) => [
				name,
				`${await engine.binary(one)}`,
			]);
			return { json, files: Object.fromEntries(await Promise.all(contents)), pairedItem };
		}),
	);

// D1-CONV-09, D1-CONV-22
test.each(allPairs(FACTORS).map((choice) => [JSON.stringify(choice), choice] as const))(
	'one conversation: a download keeps fields and files of its own item, also of one that fails: %s',
	async (_text, choice) => {
		const { form, failure, onError } = choice;
		const field = choice.field.trim() || 'data';
		const files = { none: [], offer: ['offer'], replaced: ['offer', field] }[choice.files];
		const rows = serve(choice);
		const input = rows.map((_row, index): INodeExecutionData => {
			const id = failure === 'conversation_id_invalid' && index === 1 ? 'c1' : idOf(index);
			// Other links, which must not be opened.
			const json = { id, audioUrl: `${server.url}/no`, title: 'own', rowKey: 'own', warnings: 'own' };
			const stored = files.map((name) => [name, { data: btoa(`${name} ${index}`), mimeType: 'text/plain' }]);
			return { json, binary: Object.fromEntries(stored) as IBinaryKeyData };
		});
		const isGet = form === 'get' || form === 'getTurns';
		const maxTranscriptLength = choice.maxLength;
		const transcriptAs = form === 'getTurns' ? 'turns' : 'text';
		const { items, errorItems, error, hints } = await run(
			{
				operation: isGet ? 'get' : form === 'audio' ? 'downloadAudio' : 'downloadTranscript',
				conversationId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
				...{ transcriptOutput: `={{ '${form}' }}`, maxTranscriptLength, binaryPropertyName: choice.field },
				...{ output: 'selectedFields', fields: ['title'] },
				options: { includeTranscript: true, transcriptAs, maxTranscriptLength },
			},
			{ input, onError },
		);
		const fails = failure !== 'none' && !(isGet && failure === 'media_missing');
		const isAsked = failure !== 'conversation_id_invalid';
		const details = { code: failure, item: 1, ...(isAsked && { conversationId: idOf(1) }) };
		if (fails && onError === 'stopWorkflow') {
			expect(error?.context).toMatchObject({ itemIndex: 1, details });
			return;
		}
		const outputs = rows.map((row, index) => {
			const kept = Object.fromEntries(files.map((name) => [name, `${name} ${index}`]));
			const pairedItem = { item: index };
			const failed = expect.objectContaining({ details: expect.objectContaining(details) });
			if (fails && index === 1) return [{ json: failed, files: kept, pairedItem }];
			return addedBy(choice, row, index).map(([own, content]) => {
				if (isGet) return { json: own, files: {}, pairedItem };
				const all = content === undefined ? kept : { ...kept, [field]: content };
				return { json: { ...input[index].json, ...own }, files: all, pairedItem };
			});
		});
		const routed = fails && onError === 'continueErrorOutput' ? outputs.splice(1, 1) : [];
		expect(await read(errorItems)).toEqual(routed.flat());
		expect(await read(items)).toEqual(outputs.flat());

		const isReplaced = ['audio', 'file', 'textFile'].includes(form) && choice.files === 'replaced';
		const isUnclear = choice.speech === 'unclear' && !['audio', 'file', 'items'].includes(form);
		const unclear = [0, 1, 2].filter((index) => isUnclear && !(index === 1 && failure !== 'none'));
		const replaced = `The input's file "${field}" was replaced. To keep both, change Put Output File in Field.`;
		expect(hints.map(({ message }) => message)).toEqual([
			...unclear.map((index) => `${UNCLEAR} [Item ${index}]`),
			...(isReplaced ? [replaced] : []),
		]);
	},
);

describe('A media host', () => {
	const WHOLE = Buffer.concat([Buffer.from('fLaC'), randomBytes(200_000)]);
	const HEADERS = { 'content-type': 'audio/flac', 'content-length': String(WHOLE.length) };
	const whole: ScriptedResponse = (_request, response) => void response.writeHead(200, HEADERS).end(WHOLE);
	const stallsInBody: ScriptedResponse = (_request, response) =>
		void response.writeHead(200, HEADERS).write(WHOLE.subarray(0, 100_000));
	// At the port of the service, because the node opens no other one of this machine.
	const media = server.part('/9f3e8a10');
	const setPolicy = (name: 'stalledAfterMs' | 'baseDelayMs', ms: number) =>
		jest.replaceProperty(POLICY as Record<typeof name, number>, name, ms);
	beforeEach(() => {
		setPolicy('baseDelayMs', 10);
		const row = { conversationId: idOf(0), title: 'Roof', audioUrl: `${server.url}/9f3e8a10?signature=abc` };
		server.respond([{ status: 200, body: JSON.stringify(row) }]);
	});
	const download = async (options?: Parameters<typeof run>[1]) =>
		await run({ operation: 'downloadAudio', conversationId: idOf(0) }, options);

	test('sends five files at the same time', async () => {
		media.respond(async () => (await media.waitForRequests(4), { status: 200, body: 'x', delayMs: 20 }));
		const { items } = await download({ input: Array.from({ length: 12 }, () => ({ json: {} })) });
		expect(items).toHaveLength(12);
		expect(media.maxInFlight).toBe(5);
	});

	const breaksOff: ScriptedResponse = (_request, response) => {
		response.writeHead(200, HEADERS).write(WHOLE.subarray(0, 100_000), () => response.destroy());
	};

	test('that breaks off its body is asked for the whole file again, and then fails', async () => {
		media.respond([breaksOff, breaksOff, whole]);
		const { items } = await download();
		expect(await engine.binary(items[0].binary!.data)).toEqual(WHOLE);
		expect(media.seen).toHaveLength(3);

		media.respond([breaksOff]);
		expect((await download()).error).toMatchObject({
			context: { details: { code: 'download_failed', retryable: true } },
			description: expect.stringMatching(/did not send the file \(\w+\)\. Tried 6 times/),
		});
	});

	// D1-LIM-03
	test('that refuses a link, then breaks a transfer, gets the fresh link again, and later a fresher one', async () => {
		let renewals = 0;
		server.respond(() => {
			const audioUrl = `${server.url}/9f3e8a10?signature=${renewals++}`;
			return { status: 200, body: JSON.stringify({ conversationId: idOf(0), title: 'Roof', audioUrl }) };
		});
		media.respond([{ status: 403 }, breaksOff, breaksOff, { status: 403 }, breaksOff, whole]);
		const { items } = await download();
		expect(await engine.binary(items[0].binary!.data)).toEqual(WHOLE);
		const signatures = media.seen.map(({ url }) => url.split('=')[1]);
		expect(signatures).toEqual(['0', '1', '1', '1', '2', '2']);
	});

	test('that stops is left as soon as the execution is stopped, not at its own time limit', async () => {
		setPolicy('stalledAfterMs', 25_000);
		media.respond([stallsInBody]);
		let stopped = 0;
		const cancelWhen = media.waitForRequests(1).then(() => void (stopped = Date.now()));
		const { status } = await download({ cancelWhen });
		expect(status).not.toBe('success');
		expect(Date.now() - stopped).toBeLessThan(20_000);
		expect(media.seen).toHaveLength(1);
	});
});
