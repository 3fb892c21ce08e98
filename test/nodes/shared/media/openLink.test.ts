import { openLink } from '../../../../nodes/shared/media/openLink';
import { mediaHost, type Sends } from './mediaHost';

const LINK = 'https://media.example/a?signature=secret%2F';
const PUBLIC = 'https://api.example.com/v1';
const LOCAL = 'http://127.0.0.1:8790';
const OK: Sends = { statusCode: 200 };
const to = (location: string, statusCode = 302): Sends => ({ statusCode, headers: { location } });

/** Opens a link whose host sends these responses, with n8n's verdict on each address. */
async function open(
	sends: Sends[],
	{ link = LINK, baseUrl = PUBLIC, verdict = async () => ({ ok: true }) } = {},
) {
	const { context, asked, bodies } = mediaHost({ sends });
	const [policies, validated]: string[][] = [[], []];
	const validateUrl = async (url: string) => (validated.push(url), await verdict());
	Object.assign(context, { getCredentials: async () => ({ baseUrl, apiKey: 'key' }) });
	Object.assign(context.helpers, {
		getSecureEgressFilter: (policy: string) => (policies.push(policy), { validateUrl }),
	});
	const opened = openLink(context, 'audio', link, new AbortController().signal);
	const outcome: { response?: unknown; error?: Error } = await opened.then(
		(response) => ({ response }),
		(error: Error) => ({ error }),
	);
	const urls = asked.map(({ url, qs }) => `${url}${qs ? `?${String(qs)}` : ''}`);
	return { ...outcome, urls, asked, validated, policies, bodies };
}

test.each([301, 302, 303, 307, 308])(
	'follows three redirects with status %d, not four, each from the last, its query byte for byte, without a key',
	async (status) => {
		const hops = ["https://other.example/b?x='%27#part", '?x=%2F', 'c'].map((place) => to(place, status));
		const { response, urls, asked, bodies } = await open([...hops, OK]);
		expect(response).toMatchObject({ statusCode: 200 });
		const other = 'https://other.example';
		expect(urls).toEqual([LINK, `${other}/b?x='%27`, `${other}/b?x=%2F`, `${other}/c`]);
		for (const options of asked) {
			expect(options).toMatchObject({ method: 'GET', disableFollowRedirect: true });
			expect(options).not.toHaveProperty('headers');
		}
		// What it leaves is closed.
		expect(bodies.map(({ destroyed }) => destroyed)).toEqual([true, true, true, false]);

		const four = await open([...hops, to('/d', status)]);
		expect(four.error?.message).toBe('The link to the audio is redirected more than 3 times');
		expect(four.urls).toHaveLength(4);
	},
);

test.each([{ statusCode: 302 }, to('https://other.example/', 300)])('does not follow %j', async (sent) => {
	const { response, urls } = await open([sent]);
	expect(response).toMatchObject(sent);
	expect(urls).toEqual([LINK]);
});

test.each([
	[PUBLIC, 'https://media.example.com/a?signature=s', undefined],
	[PUBLIC, 'https://media.example.com:8443/a', undefined],
	[`${LOCAL}/data`, `${LOCAL}/audio/1`, undefined],
	[LOCAL, 'http://localhost:8790/audio/1', undefined],
	['http://[::1]:8790/data', `${LOCAL}/audio/1`, undefined],
	[LOCAL, 'https://media.example.com/a', undefined],
	[LOCAL, 'http://media.example.com/a', undefined],
	['https://10.0.0.5/v1', 'https://10.0.0.5/media/a', undefined],
	['http://sandbox:8790', 'http://sandbox:8790/audio/1', undefined],
	[PUBLIC, 'http://169.254.169.254/latest?s=secret', 'starts with http: instead of https:'],
	[PUBLIC, 'ftp://media.example.com/a', 'starts with ftp: instead of https:'],
	[LOCAL, 'data:text/plain,secret', 'starts with data: instead of https:'],
	[LOCAL, 'file:///etc/passwd', 'starts with file: instead of https:'],
	['https://10.0.0.5', 'http://10.0.0.5', 'starts with http: instead of https:'],
	[PUBLIC, 'https://user@media.example.com/a', 'contains a user name or password'],
	[PUBLIC, 'https://:secret@media.example.com/a', 'contains a user name or password'],
	[PUBLIC, 'https://?s=secret', 'is not an address'],
	[PUBLIC, 'https://0x7f.1:5678/rest?s=secret', 'leads to the private address 127.0.0.1:5678'],
	[PUBLIC, 'https://[::ffff:169.254.169.254]/', 'leads to the private address [::ffff:a9fe:a9fe]'],
	[PUBLIC, 'https://n8n/rest', 'leads to the private address n8n'],
	[LOCAL, 'http://127.0.0.1:5678/', 'leads to the private address 127.0.0.1:5678'],
	[LOCAL, 'http://10.0.0.5:8790/', 'leads to the private address 10.0.0.5:8790'],
	['http://10.0.0.5', 'http://10.0.0.6', 'leads to the private address 10.0.0.6'],
	['http://10.0.0.5', 'https://10.0.0.5/', 'leads to the private address 10.0.0.5'],
	['http://10.0.0.5', 'http://10.0.0.5:9200', 'leads to the private address 10.0.0.5:9200'],
])(
	'of the Base URL %s, the link or redirect to %s is followed, or has the defect: %s',
	async (baseUrl, link, defect) => {
		const direct = await open([OK], { link, baseUrl });
		const redirected = await open([to(link), OK], { baseUrl });
		const messages = ['The link', 'A redirect of the link'].map(
			(what) => defect && `${what} to the audio ${defect}`,
		);
		expect([direct.error?.message, redirected.error?.message]).toEqual(messages);
		expect([direct.urls, redirected.urls].map(({ length }) => length)).toEqual(defect ? [0, 1] : [1, 2]);
		if (!defect) return;
		expect(direct.error).toMatchObject({ details: { code: 'link_refused' } });
		expect(JSON.stringify([direct.error, redirected.error])).not.toContain('secret');
	},
);

test("n8n's verdict counts for each address, but not for the Base URL's own; without one, the request decides", async () => {
	const blocked = async () => ({ ok: false });
	const { error, urls, policies, validated } = await open([], { verdict: blocked });
	expect(error?.message).toBe('The link to the audio leads to media.example, whose address is private');
	expect([urls, policies, validated]).toEqual([[], ['enforced'], [LINK]]);
	expect((await open([to('/b'), OK])).validated).toEqual([LINK, 'https://media.example/b']);

	const own = { link: 'http://127.0.0.1:8790/a', baseUrl: 'http://localhost:8790/data', verdict: blocked };
	expect(await open([OK], own)).toMatchObject({ response: { statusCode: 200 }, validated: [] });
	// The request may go through a proxy, which can resolve the name.
	const unknown = async () => await Promise.reject(new Error('getaddrinfo ENOTFOUND'));
	expect((await open([OK], { verdict: unknown })).response).toMatchObject({ statusCode: 200 });
});

test.each([
	`Request to ${LINK} failed`,
	`Invalid URL: ${LINK}`,
	'Cannot open /a?signature=secret%2F',
	'X-Amz-Signature=secret',
])('shows no query when a request fails without a code: %s', async (message) => {
	const refusal = Object.assign(new Error(message), { description: message });
	const { error } = await open([refusal]);
	const hidden = message.replace(/signature=secret%2F/i, '…').replace('secret', '…');
	expect(error).toMatchObject({ message: hidden, description: hidden });
	expect(`${JSON.stringify(error)} ${error?.stack}`).not.toContain('secret');
});
