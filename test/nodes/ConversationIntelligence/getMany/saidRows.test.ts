import type { IDataObject } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { POLICY } from '../../../../nodes/shared/http/policy';
import { documentedRow } from '../../../support/engine/documentedRow';
import { RANGE, scriptedExport } from '../listing';
import { pageOf } from '../listsService';

const { server, engine, run } = scriptedExport();

const REP = 'Ana Diaz';
/** What the customer and the rep say in turns, by conversation: oldest first. Numbers are statuses of the media host. */
type Transcript = string[] | number | 'none' | 'unreadable' | 'unnamed' | 'without speakers';

const idOf = (index: number) => `3f2b8c1e-5d7a-4c66-9b1f-${String(index).padStart(12, '0')}`;
const dateOf = (index: number) => new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString();

function wordsOf(transcript: Transcript): string {
	if (transcript === 'unreadable') return '{"no":"list"}';
	const turns = Array.isArray(transcript) ? transcript : ['too expensive', 'yes'];
	const speakers = transcript === 'unnamed' ? ['A', 'B'] : ['Bo', REP];
	const words = turns.flatMap((turn, index) =>
		turn.split(' ').map((word, at) => ({
			...(transcript !== 'without speakers' && { speaker: speakers[index % 2] }),
			word,
			start: index * 10 + at,
			end: index * 10 + at + 1,
		})),
	);
	return JSON.stringify(words);
}

/** Serves conversations, one a minute, and their transcripts once so many requests came. @returns the places of those that were downloaded */
function serve(transcripts: Transcript[], untilRequests = 0): number[] {
	const downloaded: number[] = [];
	const rows = transcripts.map((transcript, index) =>
		documentedRow('ConversationsExport', {
			...{ conversationId: idOf(index), title: `Visit ${index}` },
			...{ date: dateOf(index), processedDate: dateOf(index) },
			user: documentedRow('RecordingUser', { name: REP, email: 'ana@example.com' }),
			customer: documentedRow('ConversationCustomer', { name: 'Bo' }),
			...{ serviceUrl: `https://app.example/${index}`, outcome: index % 2 ? 'Lost' : 'Sold' },
			transcriptUrl: transcript === 'none' ? '' : `${server.url}/words/${index}?sig=s`,
		}),
	);
	const json = (body: unknown) => ({ status: 200, body: JSON.stringify(body) });
	server.respond(async ({ url, body }) => {
		if (body) return json(pageOf({ conversations: rows }, body as IDataObject));
		const [, place] = /^\/words\/(\d+)/.exec(url) ?? [];
		if (place === undefined) return json(rows.find((row) => url.endsWith(String(row.conversationId))));
		await server.waitForRequests(untilRequests);
		const transcript = transcripts[Number(place)];
		downloaded.push(Number(place));
		if (typeof transcript === 'number') return { status: transcript };
		return { status: 200, body: wordsOf(transcript) };
	});
	return downloaded;
}

const search = async (said: string | undefined, parameters: IDataObject = {}, options = {}) => {
	const { filters, ...others } = parameters;
	const wanted = { ...(said !== undefined && { said }), ...(filters as IDataObject) };
	return await run({ rowsFor: 'passages', ...others, filters: wanted }, options);
};
const hintsOf = ({ hints }: Awaited<ReturnType<typeof run>>) => hints.map(({ message }) => message);

test('returns a row for each turn in which the words were said, newest conversation first, with its neighbors', async () => {
	serve([
		['Hello there.', 'It is cheap', 'Too expensive!', 'Really?', 'Yes: TOO, expensive.'],
		['Nothing', 'of the kind'],
		['too very expensive', 'no'],
		['too expensive'],
	]);
	const found = await search('"too expensive"');
	expect(
		found.items.map(({ json }) => [
			...[json.rowKey, json.isRep, json.start, json.end, json.text, json.before, json.after],
		]),
	).toEqual([
		[`${idOf(3)}/turns/1`, null, 0, 2, 'too expensive', null, null],
		[`${idOf(0)}/turns/3`, false, 20, 22, 'Too expensive!', 'It is cheap', 'Really?'],
		[`${idOf(0)}/turns/5`, false, 40, 43, 'Yes: TOO, expensive.', 'Really?', null],
	]);
	expect(hintsOf(found)).toContain(
		'Searched the transcripts of 4 of 4 conversations from 2020-01-01 00:00 to 2030-01-01 00:00 (UTC), with a request each: 2 have "too expensive" (3 rows).',
	);
});

test('returns the row that docs/find-what-was-said.md shows', async () => {
	const page = readFileSync(join(__dirname, '../../../../docs/find-what-was-said.md'), 'utf8');
	const shown = JSON.parse(/```json([^]*?)```/.exec(page)![1]) as Record<string, string>;
	const { conversationId, date, title, serviceUrl, userName: name, userEmail: email, customerName } = shown;
	const turns = [
		[name, shown.before, 0],
		[shown.speaker, shown.text, Number(shown.start)],
		[name, shown.after, 20],
	] as const;
	const words = turns.flatMap(([speaker, text, start]) =>
		text.split(' ').map((word, at) => ({ speaker, word, start: start + at, end: start + at + 1 })),
	);
	const conversation = documentedRow('ConversationsExport', {
		...{ conversationId, date, title, serviceUrl, transcriptUrl: `${server.url}/words?sig=s` },
		user: documentedRow('RecordingUser', { name, email }),
		customer: documentedRow('ConversationCustomer', { name: customerName }),
	});
	server.respond(({ body }) => ({
		status: 200,
		body: JSON.stringify(body ? pageOf({ conversations: [conversation] }, body as IDataObject) : words),
	}));
	const { items } = await search('"too expensive"');
	expect(items.map(({ json }) => JSON.stringify(json))).toEqual([JSON.stringify(shown)]);
});

test.each([
	['rep', ['yes, it is too expensive']],
	['others', ['too expensive', 'too expensive again']],
])('with Said By %s, only their turns are searched', async (saidBy, texts) => {
	serve([['too expensive', 'yes, it is too expensive', 'too expensive again', 'ok']]);
	const { items } = await search('expensive', { filters: { saidBy } });
	expect(items.map(({ json }) => json.text)).toEqual(texts);
});

test('what cannot be searched is a row that says why, and is never counted as said or not said', async () => {
	serve([['too expensive', 'no'], 404, 'none', 'unreadable', 'unnamed']);
	const found = await search('expensive', { filters: { saidBy: 'others' } });
	expect(found.items.map(({ json }) => [json.conversationId, json.text, json.transcriptError])).toEqual([
		[idOf(4), null, expect.stringMatching(/^Said By cannot be applied/)],
		[idOf(3), null, expect.stringMatching(/^The transcript is not a JSON list/)],
		[idOf(1), null, expect.stringMatching(/^The transcript could not be downloaded/)],
		[idOf(0), 'too expensive', null],
	]);
	expect(hintsOf(found)).toEqual([
		'3 of 4 transcripts could not be read: see transcriptError.',
		expect.stringMatching(
			/^Searched the transcripts of 4 of 5 conversations .*: 1 have "expensive" \(4 rows\)\.$/,
		),
	]);
});

test('counts transcripts in which it is not clear who speaks', async () => {
	serve([['too expensive'], 'without speakers']);
	const found = await search('expensive');
	expect(found.items).toHaveLength(2);
	expect(hintsOf(found)).toContain('In 1 of 2 transcripts it is not clear who speaks or when.');
});

test('as a filter, keeps conversations and checklists in which the words were said, and requests each once', async () => {
	const downloaded = serve([['expensive', 'no'], 404, ['cheap', 'yes'], ['so expensive', 'no']]);
	const options = { includeTranscript: true };
	const whole = { rowsFor: 'conversations', output: 'selectedFields', fields: ['title'], options };
	const row = (index: number, transcript: string | null, transcriptError: unknown = null) => {
		const about = { conversationId: idOf(index), title: `Visit ${index}` };
		return { ...about, transcript, transcriptError, transcriptWarning: null };
	};
	expect((await search('expensive', whole)).items.map(({ json }) => json)).toEqual([
		row(3, '[00:00] Bo: so expensive\n[00:10] Ana Diaz: no'),
		row(1, null, expect.stringContaining('status 404')),
		row(0, '[00:00] Bo: expensive\n[00:10] Ana Diaz: no'),
	]);
	// The link that was refused is tried again, once it was replaced.
	expect(downloaded.sort()).toEqual([0, 1, 1, 1, 1, 2, 3]);

	const { items } = await search('expensive', { rowsFor: 'checklists' });
	const errors = new Map(
		items.map(({ json }) => [json.conversationId, [json.checklistName, json.transcriptError]]),
	);
	const checklist = expect.stringMatching(/^Checklist\.checklistName \d+$/);
	expect([...errors]).toEqual([
		[idOf(3), [checklist, null]],
		[idOf(1), [null, expect.stringMatching(/^The transcript could not be downloaded.* status 404/)]],
		[idOf(0), [checklist, null]],
	]);
});

test('of a turn of more than 3,000 characters, returns the part around the words, and its times', async () => {
	const others = Array.from({ length: 1000 }, (_, n) => `w${String(n).padStart(3, '0')}`);
	serve([[[...others, 'price', ...others].join(' ')]]);
	const [{ json }] = (await search('price', { returnAll: true })).items;
	const text = String(json.text);
	expect(text.length).toBeLessThanOrEqual(3001);
	const words = text.replace('…', '').split(' ');
	const at = words.indexOf('price');
	for (const side of [at, words.length - at]) expect(side).toBeGreaterThan(250);
	// The text can be cut within its last word, or right before that.
	const ends = [0, 1].map((more) => 1000 + words.length - at + more);
	expect([json.start, ends.includes(json.end as number)]).toEqual([1000 - at, true]);
});

test('downloads sixty transcripts at the same time', async () => {
	// The list is two requests.
	serve(
		Array.from({ length: 100 }, () => ['price']),
		62,
	);
	const { items } = await search('price', { returnAll: true });
	expect(items).toHaveLength(100);
	expect(server.maxInFlight).toBe(60);
});

test.each([
	[1, 'always', 1],
	[7, 'always', 7],
	[30, 'always', 30],
	// One more side by side after each transcript without the words.
	[1, 'rarely', 99],
])(
	'downloads no more transcripts than the Limit %d needs if the words are %s said',
	async (limit, often, most) => {
		const transcripts = Array.from({ length: 120 }, (_, index): string[] => [
			often === 'always' || index === 70 ? 'price' : 'roof',
		]);
		const downloaded = serve(transcripts);
		const found = await search('price', { returnAll: false, limit });
		expect(found.items).toHaveLength(limit);
		expect(downloaded.length).toBeGreaterThanOrEqual(limit);
		expect(downloaded.length).toBeLessThanOrEqual(most);
		expect(found.items[0].json.conversationId).toBe(idOf(often === 'always' ? 119 : 70));
		expect(server.maxInFlight).toBeLessThanOrEqual(61);
	},
);

test('Limit counts passages, also within a conversation, and a file says whether there are more', async () => {
	serve([
		['price', 'price', 'price'],
		['price', 'roof'],
	]);
	const keys = ['1/turns/1', '0/turns/1', '0/turns/2', '0/turns/3'];
	for (const limit of [1, 2, 4, 5]) {
		const { items } = await search('price', { returnAll: false, limit });
		expect(items.map(({ json }) => String(json.rowKey).slice(-9))).toEqual(keys.slice(0, limit));
		const file = await search('price', { returnAll: false, limit, outputAs: 'file' });
		const incompleteReason = `These are the newest ${limit} passages: turn on Return All to get the rest.`;
		const isCut = limit < 4;
		expect(file.items[0].json).toMatchObject({
			complete: !isCut,
			incompleteReason: isCut ? incompleteReason : null,
		});
	}
});

test('a file has all passages, and its item says how many transcripts were searched and failed', async () => {
	serve([['price', 'no'], 404, ['roof'], ['the price']]);
	const { items } = await search('price', { outputAs: 'file', fileOptions: { gzip: true } });
	const file = gunzipSync(await engine.binary(items[0].binary!.data)).toString();
	const rows = file
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line) as IDataObject);
	expect(rows.map(({ conversationId, text }) => [conversationId, text])).toEqual([
		[idOf(3), 'the price'],
		[idOf(1), null],
		[idOf(0), 'price'],
	]);
	expect(items[0].json).toMatchObject({
		rows: 3,
		searchedTranscripts: 4,
		failedTranscripts: 1,
		complete: true,
	});
	expect(items[0].json.fileName).toMatch(/^passages_2020/);
	const headOf = async (parameters: IDataObject) => {
		const csv = await search('price', { outputAs: 'file', fileFormat: 'csv', ...parameters });
		return (await engine.binary(csv.items[0].binary!.data)).toString().split('\r\n')[0].split(',');
	};
	expect(await headOf({})).toEqual(Object.keys(rows[0]));
	const whole = await headOf({ rowsFor: 'conversations', options: { includeTranscript: true } });
	expect(whole.filter((column) => column.startsWith('transcript'))).toEqual([
		...['transcriptUrl', 'transcript', 'transcriptError', 'transcriptWarning'],
	]);
});

test.each([
	[{ rowsFor: 'passages' }, 'Return One Row Per Passage needs the filter Words Said'],
	[{ rowsFor: 'conversations', filters: { saidBy: 'rep' } }, 'Said By needs the filter Words Said'],
	[{ filters: { said: '…' } }, 'Words Said must be text with a letter or a digit'],
])('rejects %j before anything is requested', async (parameters, message) => {
	serve([['price']]);
	const { error } = await search(undefined, parameters);
	expect(error?.message).toContain(message);
	expect(server.seen).toEqual([]);
});

test('a list that fails in the middle fails the search, and a stopped execution ends it', async () => {
	jest.replaceProperty(POLICY as { baseDelayMs: number }, 'baseDelayMs', 1);
	const rows = Array.from({ length: 60 }, () => documentedRow('ConversationsExport', { transcriptUrl: '' }));
	server.respond((_request, index) =>
		index === 0
			? { status: 200, body: JSON.stringify({ totalConversations: 60, conversations: rows.slice(0, 50) }) }
			: { status: 500 },
	);
	expect((await search('price')).error?.message).toMatch(/500|unavailable|list/i);

	serve([['price']]);
	const { status, items } = await search('price', {}, { cancelWhen: server.waitForRequests(2) });
	expect([status === 'success', items]).toEqual([false, []]);
});

describe('As the tool of an agent', () => {
	const ask = async (words: string, limit: number, query: object = {}) =>
		await engine.runNode(
			'conversationIntelligenceTool',
			{
				resource: 'conversation',
				operation: 'getAll',
				rowsFor: 'passages',
				filters: { said: "={{ $fromAI('words_said') }}" },
				limit,
			},
			{
				input: [{ json: { words_said: words, from_date: RANGE.fromDate, to_date: RANGE.toDate, ...query } }],
				timezone: 'UTC',
			},
		);

	test('the model gives the words and gets passages, how to get more, and which day today is', async () => {
		const turns = Array.from({ length: 12 }, (_turn, at) => (at % 2 === 0 ? 'the price' : 'no'));
		const downloaded = serve(Array.from({ length: 30 }, () => turns));
		// Limit would cut the passages of the second conversation.
		const { items, error } = await ask('price', 8);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(11);
		expect(downloaded).toHaveLength(8);
		const { note } = items[10].json;
		expect(note).toMatch(
			/^These are the newest 10 passages: search again with the To Date \S+ to get the rest\. Searched the transcripts of 8 of 30 conversations/,
		);
		expect(note).toContain(
			'Each conversation returns its first 5 passages: Download Transcript has the others. Today is ',
		);
		expect(JSON.stringify(items)).not.toContain('sig=');
	});

	test('gets the passages of all conversations by searching again, at most 200 transcripts at a time', async () => {
		const transcripts = Array.from({ length: 450 }, (_, index): string[] => [
			index % 50 === 0 ? 'the price' : 'the roof',
		]);
		serve(transcripts);
		const seen: string[] = [];
		let [to, calls] = [RANGE.toDate, 0];
		for (; to !== ''; calls++) {
			const { items } = await ask('price', 5, { to_date: to });
			const { note } = items.pop()!.json;
			seen.push(...items.map(({ json }) => String(json.conversationId)));
			to = /search again with the To Date (\S+) to/.exec(String(note))?.[1] ?? '';
		}
		expect(seen).toEqual([400, 350, 300, 250, 200, 150, 100, 50, 0].map(idOf));
		expect(calls).toBe(3);
	});
});
