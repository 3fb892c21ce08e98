import { sandboxExport, scriptedExport } from './exportNode';

const WITH_TRANSCRIPT = { output: 'simplified', options: { includeTranscript: true } };

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

describe('Transcripts of a scripted media host', () => {
	const { server, run } = scriptedExport();

	test('that cannot be read or are unclear say so in their row and a hint, and do not fail the list', async () => {
		const unclear = 'It is not clear who speaks: the words have the fields "text", "start".';
		const [file, words] = [
			/^The transcript is not a JSON list.*\. To look at it, set/,
			/^The words of .* not found: its entries have the fields "speaker", "said"\./,
		];
		const refused = /^The transcript could not .*status 403, even with a fresh link/;
		const rows: Array<[body: string | number, text: unknown, error?: unknown, warning?: string]> = [
			['[{"speaker":"Ana","word":"Hello","start":0}]', '[00:00] Ana: Hello'],
			['{"no":"list"}', null, expect.stringMatching(file)],
			[403, null, expect.stringMatching(refused)],
			['[{"speaker":"Ana","said":"Hello"}]', null, expect.stringMatching(words)],
			['[{"text":"Still here","start":3725}]', '[1:02:05] Still here', null, unclear],
			['', null, 'The conversation has no transcript'],
		];
		const conversations = rows.map(([body], index) => ({
			conversationId: `3f2b8c1e-5d7a-4c66-9b1f-00000000000${index}`,
			transcriptUrl: body && `${server.url}/t${index}?sig=s`,
		}));
		server.respond(({ url, method }) => {
			const page = { conversations, totalConversations: 6 };
			const index = Number(/\d(?=\?)|\d$/.exec(url)?.[0]);
			if (method === 'POST') return { status: 200, body: JSON.stringify(page) };
			if (url.startsWith('/export')) return { status: 200, body: JSON.stringify(conversations[index]) };
			const [body] = rows[index];
			return typeof body === 'number' ? { status: body } : { status: 200, body };
		});
		const { items, error, hints } = await run(WITH_TRANSCRIPT);

		expect(error).toBeUndefined();
		expect(items.map(({ json }) => [json.transcript, json.transcriptError, json.transcriptWarning])).toEqual(
			rows.map(([, text, why = null, warning = null]) => [text, why, warning]),
		);
		expect(JSON.stringify(items)).not.toContain('sig=');
		expect(hints.map(({ message }) => message)).toEqual(
			expect.arrayContaining([
				'4 of 6 transcripts could not be read: see transcriptError.',
				'In 1 of 6 transcripts it is not clear who speaks: see transcriptWarning.',
			]),
		);
	});
});
