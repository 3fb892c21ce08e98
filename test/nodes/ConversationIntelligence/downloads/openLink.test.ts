import type { IExecuteFunctions } from 'n8n-workflow';
import { linkDefect, openLink } from '../../../../nodes/ConversationIntelligence/downloads/openLink';
import { mediaItem, type Sends } from './mediaItem';

const LINK = 'https://media.example/a?signature=secret%2F';

const to = (location: string, statusCode = 302): Sends => ({ statusCode, headers: { location } });
const REFUSED = { context: { details: { code: 'link_refused' } } };

/** Opens a link whose host sends these responses, with n8n's verdict on each name. */
async function open(
	sends: Sends[],
	{ link = LINK, baseUrl = 'https://api.example.com', validateUrl = ok } = {},
) {
	const { item, asked, bodies } = mediaItem({ sends });
	const context = item.context as unknown as IExecuteFunctions;
	const policies: unknown[] = [];
	const validated: string[] = [];
	const getCredentials = async (type: string) =>
		type === 'conversationExportApi' && { baseUrl, apiKey: 'key' };
	Object.assign(context, { getCredentials });
	Object.assign(context.helpers, {
		getSecureEgressFilter: (policy: unknown) => {
			policies.push(policy);
			return { validateUrl: async (url: string) => (validated.push(url), await validateUrl(url)) };
		},
	});
	const opened = openLink(item, 'audio', link, new AbortController().signal);
	const outcome: { response?: unknown; error?: Error } = await opened.then(
		(response) => ({ response }),
		(error: Error) => ({ error }),
	);
	const urls = asked.map(({ url }) => url);
	return { ...outcome, urls, asked, validated, policies, bodies };
}

type Verdict = { ok: true; result: undefined } | { ok: false; error: Error };
const ok: (url: string) => Promise<Verdict> = async () => ({ ok: true, result: undefined });

describe('openLink', () => {
	test.each([301, 302, 303, 307, 308])(
		'follows status %d to a relative and an absolute address without a key, and closes what it leaves',
		async (status) => {
			const sends = [to('/b?x=%2F', status), to('https://other.example/c', status), { statusCode: 200 }];
			const { response, urls, asked, bodies } = await open(sends);

			expect(response).toMatchObject({ statusCode: 200 });
			expect(urls).toEqual([LINK, 'https://media.example/b?x=%2F', 'https://other.example/c']);
			for (const options of asked) {
				expect(options).toMatchObject({ method: 'GET', disableFollowRedirect: true });
				expect(Object.keys(options)).not.toEqual(expect.arrayContaining(['headers', 'auth']));
			}
			expect(bodies.map(({ destroyed }) => destroyed)).toEqual([true, true, false]);
		},
	);

	test.each(["/b?x='%27", "https://media.example/b?x='%27#part", "?x='%27"])(
		'follows a redirect to %s with the query byte for byte',
		async (location) => {
			const { asked } = await open([to(location), { statusCode: 200 }]);
			const path = location.startsWith('?') ? 'a' : 'b';
			expect(asked[1].url).toBe(`https://media.example/${path}`);
			expect(String(asked[1].qs)).toBe("x='%27");
		},
	);

	test.each([
		['no address to go to', { statusCode: 302 }],
		['another status with an address', to('https://other.example/', 300)],
	])('returns a response with %s as it is', async (_what, sent) => {
		const { response, urls } = await open([sent]);
		expect(response).toMatchObject({ statusCode: (sent as { statusCode: number }).statusCode });
		expect(urls).toEqual([LINK]);
	});

	test('follows three redirects, not four', async () => {
		const three = [1, 2, 3].map((number) => to(`/${number}`));
		expect((await open([...three, { statusCode: 200 }])).response).toMatchObject({ statusCode: 200 });
		const { error, urls } = await open([...three, to('/4')]);
		expect(error).toMatchObject({ ...REFUSED, message: expect.stringContaining('more than 3 times') });
		expect(urls).toHaveLength(4);
	});

	test.each([
		'http://169.254.169.254/latest?x=secret',
		'//127.1/x?x=secret',
		'https://user:secret@other.example/',
		'https://',
	])('does not follow a redirect to %s', async (location) => {
		const { error, urls } = await open([to('/next'), to(location)]);
		expect(error).toMatchObject({ ...REFUSED, message: expect.stringMatching(/^A redirect of the link/) });
		expect(JSON.stringify(error)).not.toContain('secret');
		expect(urls).toEqual([LINK, 'https://media.example/next']);
	});

	test('opens a private address at the own host and port of the Base URL, and no other one', async () => {
		const elsewhere = await open([{ statusCode: 200 }], { link: 'https://0x7f.1:5678/?x=secret' });
		expect(elsewhere.error?.message).toBe(
			'The link to the audio leads to the private address 127.0.0.1:5678',
		);
		expect(elsewhere.urls).toEqual([]);
		const own = { link: 'http://127.0.0.1:8790/a', baseUrl: 'http://localhost:8790/data' };
		const { response, validated } = await open([{ statusCode: 200 }], own);
		expect(response).toMatchObject({ statusCode: 200 });
		// n8n would refuse it.
		expect(validated).toEqual([]);
		expect((await open([to('http://127.0.0.1:5678/')], own)).error).toMatchObject(REFUSED);
	});

	test('asks n8n what each name resolves to, whether its protection is on or off', async () => {
		const rebound = 'https://rebound.example/x?y=secret';
		const validateUrl = async (url: string): Promise<Verdict> =>
			url === rebound ? { ok: false, error: new Error('10.0.0.1 is blocked') } : await ok(url);
		const { error, urls, policies, validated } = await open([to(rebound)], { validateUrl });

		expect(error?.message).toBe(
			'A redirect of the link to the audio leads to rebound.example, whose address is private',
		);
		expect(urls).toEqual([LINK]);
		expect(policies).toEqual(['enforced', 'enforced']);
		expect(validated).toEqual([LINK, rebound]);
	});

	test('leaves a name that n8n cannot resolve to the request, which may go through a proxy', async () => {
		const validateUrl = async () => await Promise.reject(new Error('getaddrinfo ENOTFOUND'));
		const { response } = await open([{ statusCode: 200 }], { validateUrl });
		expect(response).toMatchObject({ statusCode: 200 });
	});

	test.each([
		`Request to ${LINK} failed`,
		`Invalid URL: ${LINK}`,
		'Cannot open /a?signature=secret%2F',
		'X-Amz-Signature=secret',
	])('shows no query when a request fails without a code: %s', async (message) => {
		const { error } = await open([new Error(message)]);
		expect(error?.message).toBe(message.replace(/signature=secret%2F/i, '…').replace('secret', '…'));
		expect(`${JSON.stringify(error)} ${error?.stack}`).not.toContain('secret');
	});
});

const PUBLIC = 'https://api.example.com/v1';

test.each([
	[PUBLIC, 'https://media.example.com/a?signature=s'],
	[PUBLIC, 'https://media.example.com:8443/a'],
	['http://127.0.0.1:8790/data', 'http://127.0.0.1:8790/audio/1'],
	['http://127.0.0.1:8790/data', 'http://localhost:8790/audio/1'],
	['http://[::1]:8790/data', 'http://127.0.0.1:8790/audio/1'],
	['http://127.0.0.1:8790/data', 'https://media.example.com/a'],
	['http://127.0.0.1:8790/data', 'http://media.example.com/a'],
	['https://10.0.0.5/v1', 'https://10.0.0.5/media/a'],
	['http://sandbox:8790', 'http://sandbox:8790/audio/1'],
])('follows from %s to %s', (baseUrl, link) => {
	expect(linkDefect(baseUrl, link)).toBeUndefined();
});

test.each([
	[PUBLIC, 'http://media.example.com/a?s=secret', 'starts with http: instead of https:'],
	[PUBLIC, 'ftp://media.example.com/a', 'starts with ftp: instead of https:'],
	['http://127.0.0.1:8790', 'data:text/plain,secret', 'starts with data: instead of https:'],
	['http://127.0.0.1:8790', 'file:///etc/passwd', 'starts with file: instead of https:'],
	[PUBLIC, 'https://user@media.example.com/a', 'contains a user name or password'],
	[PUBLIC, 'https://:secret@media.example.com/a', 'contains a user name or password'],
	[PUBLIC, '/a?s=secret', 'is not an address'],
	[PUBLIC, 'https://127.0.0.1:5678/rest?s=secret', 'leads to the private address 127.0.0.1:5678'],
	[PUBLIC, 'https://[::ffff:169.254.169.254]/', 'leads to the private address [::ffff:a9fe:a9fe]'],
	[PUBLIC, 'https://n8n/rest', 'leads to the private address n8n'],
	['http://127.0.0.1:8790', 'http://127.0.0.1:5678/', 'leads to the private address 127.0.0.1:5678'],
	['http://127.0.0.1:8790', 'http://10.0.0.5:8790/', 'leads to the private address 10.0.0.5:8790'],
	['http://10.0.0.5', 'http://10.0.0.6', 'leads to the private address 10.0.0.6'],
	['http://10.0.0.5', 'http://10.0.0.5:9200', 'leads to the private address 10.0.0.5:9200'],
	['https://10.0.0.5', 'http://10.0.0.5', 'starts with http: instead of https:'],
])('does not follow from %s to %s, which %s', (baseUrl, link, defect) => {
	expect(linkDefect(baseUrl, link)).toBe(defect);
});
