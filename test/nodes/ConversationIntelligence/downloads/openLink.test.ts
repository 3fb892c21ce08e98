import type { IExecuteFunctions } from 'n8n-workflow';
import { openLink } from '../../../../nodes/ConversationIntelligence/downloads/openLink';
import { mediaItem, type Sends } from './mediaItem';

const LINK = 'https://media.example/a?signature=secret%2F';
const ONLY =
	"Links are opened only with https on the public internet, or at the Base URL's own host and port. For a name with a private address, an administrator of n8n can set N8N_SSRF_ALLOWED_HOSTNAMES.";

const to = (location: string, statusCode = 302): Sends => ({ statusCode, headers: { location } });

/** Opens a link whose host sends these responses, with n8n's verdict on each name. */
async function open(
	sends: Sends[],
	{ link = LINK, baseUrl = 'https://api.example.com', validateUrl = ok } = {},
) {
	const { item, asked, bodies } = mediaItem({ sends });
	const context = item.context as unknown as IExecuteFunctions;
	const policies: unknown[] = [];
	const validated: string[] = [];
	Object.assign(context, { getCredentials: async () => ({ baseUrl, apiKey: 'key' }) });
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
		'follows status %d to a relative and an absolute address, and closes what it leaves',
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

	test.each([
		['no address to go to', { statusCode: 302 }],
		['another status with an address', to('https://other.example/', 300)],
		['a file that names an address', to('https://other.example/', 201)],
	])('returns a response with %s as it is', async (_what, sent) => {
		const { response, urls } = await open([sent]);
		expect(response).toMatchObject({ statusCode: (sent as { statusCode: number }).statusCode });
		expect(urls).toEqual([LINK]);
	});

	test('follows three redirects, not four', async () => {
		const three = [1, 2, 3].map((number) => to(`/${number}`));
		expect((await open([...three, { statusCode: 200 }])).response).toMatchObject({ statusCode: 200 });
		const { error, urls } = await open([...three, to('/4')]);
		expect(error).toMatchObject({
			message: 'The link to the audio is redirected more than 3 times',
			description: ONLY,
		});
		expect(urls).toHaveLength(4);
	});

	test.each([
		['http://169.254.169.254/latest?x=secret', 'starts with http: instead of https:'],
		['//127.1/x?x=secret', 'leads to the private address 127.0.0.1'],
		['https://[::ffff:10.0.0.1]:8443/', 'leads to the private address [::ffff:a00:1]:8443'],
		['https://localhost:5678/rest', 'leads to the private address localhost:5678'],
		['https://user:secret@other.example/', 'contains a user name or password'],
		['file:///etc/passwd', 'starts with file: instead of https:'],
		['https://', 'is not an address'],
	])('does not follow a redirect to %s', async (location, defect) => {
		const { error, urls } = await open([to('/next'), to(location)]);
		expect(error).toMatchObject({
			message: `A redirect of the link to the audio ${defect}`,
			description: ONLY,
		});
		expect(JSON.stringify(error)).not.toContain('secret');
		expect(urls).toEqual([LINK, 'https://media.example/next']);
	});

	test('does not request a link to a private address at all', async () => {
		const { error, urls } = await open([{ statusCode: 200 }], { link: 'https://0x7f.1:5678/?x=secret' });
		expect(error).toMatchObject({
			message: 'The link to the audio leads to the private address 127.0.0.1:5678',
		});
		expect(urls).toEqual([]);
	});

	test('opens a private address at the own host and port of the Base URL, and no other one', async () => {
		const own = { link: 'http://127.0.0.1:8790/a', baseUrl: 'http://localhost:8790/data' };
		const { response, validated } = await open([{ statusCode: 200 }], own);
		expect(response).toMatchObject({ statusCode: 200 });
		// n8n would refuse it.
		expect(validated).toEqual([]);
		const { error } = await open([to('http://127.0.0.1:5678/')], own);
		expect(error?.message).toBe(
			'A redirect of the link to the audio leads to the private address 127.0.0.1:5678',
		);
	});

	test('asks n8n what each name resolves to, whether its protection is on or off', async () => {
		const validateUrl = async (url: string): Promise<Verdict> =>
			url.includes('rebound') ? { ok: false, error: new Error('10.0.0.1 is blocked') } : await ok(url);
		const { error, urls, policies, validated } = await open([to('https://rebound.example/x?y=secret')], {
			validateUrl,
		});

		expect(error).toMatchObject({
			message: 'A redirect of the link to the audio leads to rebound.example, whose address is private',
			description: ONLY,
		});
		expect(urls).toEqual([LINK]);
		expect(policies).toEqual(['enforced', 'enforced']);
		expect(validated).toEqual([LINK, 'https://rebound.example/x?y=secret']);
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
