import { PassThrough } from 'node:stream';
import type { IExecuteFunctions } from 'n8n-workflow';
import { guarded, linkDefect, openLink } from '../../../../nodes/ConversationIntelligence/downloads/openLink';
import { POLICY } from '../../../../nodes/shared/http/policy';
import { failed } from '../../shared/http/scriptedService';
import { mediaItem, type Sends } from './mediaItem';

const LINK = 'https://media.example/a?signature=secret%2F';

const to = (location: string, statusCode = 302): Sends => ({ statusCode, headers: { location } });
const REFUSED = { details: { code: 'link_refused' } };
type Verdict = { ok: true; result: undefined } | { ok: false; error: Error };
const ok: (url: string) => Promise<Verdict> = async () => ({ ok: true, result: undefined });

/** Opens a link whose host sends these responses, with n8n's verdict on each name. */
async function open(
	sends: Sends[],
	{ link = LINK, baseUrl = 'https://api.example.com', validateUrl = ok } = {},
) {
	const { item, asked, bodies } = mediaItem({ sends });
	const context = item.context as unknown as IExecuteFunctions;
	const policies: unknown[] = [];
	const validated: string[] = [];
	const getCredentials = async () => ({ baseUrl, apiKey: 'key' });
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

test.each(["/b?x='%27", "https://other.example/b?x='%27#part", "?x='%27"])(
	'follows a redirect to %s with the query byte for byte, and the next one from there',
	async (location) => {
		const { asked } = await open([to(location), to('c'), { statusCode: 200 }]);
		const host = location.startsWith('https') ? 'other.example' : 'media.example';
		expect(asked[1].url).toBe(`https://${host}/${location.startsWith('?') ? 'a' : 'b'}`);
		expect(String(asked[1].qs)).toBe("x='%27");
		expect(asked[2].url).toBe(`https://${host}/c`);
	},
);

test('follows three redirects, not four, and no response that is none', async () => {
	const three = [1, 2, 3].map((number) => to(`/${number}`));
	expect((await open([...three, { statusCode: 200 }])).response).toMatchObject({ statusCode: 200 });
	const { error, urls } = await open([...three, to('/4')]);
	expect(error).toMatchObject({ ...REFUSED, message: expect.stringContaining('more than 3 times') });
	expect(urls).toHaveLength(4);
	for (const sent of [{ statusCode: 302 }, to('https://other.example/', 300)]) {
		const { response, urls } = await open([sent as Sends]);
		expect(response).toMatchObject({ statusCode: (sent as { statusCode: number }).statusCode });
		expect(urls).toEqual([LINK]);
	}
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
	expect(elsewhere.error?.message).toBe('The link to the audio leads to the private address 127.0.0.1:5678');
	expect(elsewhere.urls).toEqual([]);
	const own = { link: 'http://127.0.0.1:8790/a', baseUrl: 'http://localhost:8790/data' };
	const { response, validated } = await open([{ statusCode: 200 }], own);
	expect(response).toMatchObject({ statusCode: 200 });
	// n8n would refuse it.
	expect(validated).toEqual([]);
	expect((await open([to('http://127.0.0.1:5678/')], own)).error).toMatchObject(REFUSED);
});

test('asks n8n what each name resolves to, and leaves one that it cannot resolve to the request', async () => {
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

	// The request may go through a proxy.
	const unknown = async () => await Promise.reject(new Error('getaddrinfo ENOTFOUND'));
	const { response } = await open([{ statusCode: 200 }], { validateUrl: unknown });
	expect(response).toMatchObject({ statusCode: 200 });
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

const PUBLIC = 'https://api.example.com/v1';
const LOCAL = 'http://127.0.0.1:8790';

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
	[PUBLIC, 'http://media.example.com/a?s=secret', 'starts with http: instead of https:'],
	[PUBLIC, 'ftp://media.example.com/a', 'starts with ftp: instead of https:'],
	[LOCAL, 'data:text/plain,secret', 'starts with data: instead of https:'],
	[LOCAL, 'file:///etc/passwd', 'starts with file: instead of https:'],
	['https://10.0.0.5', 'http://10.0.0.5', 'starts with http: instead of https:'],
	[PUBLIC, 'https://user@media.example.com/a', 'contains a user name or password'],
	[PUBLIC, 'https://:secret@media.example.com/a', 'contains a user name or password'],
	[PUBLIC, '/a?s=secret', 'is not an address'],
	[PUBLIC, 'https://127.0.0.1:5678/rest?s=secret', 'leads to the private address 127.0.0.1:5678'],
	[PUBLIC, 'https://[::ffff:169.254.169.254]/', 'leads to the private address [::ffff:a9fe:a9fe]'],
	[PUBLIC, 'https://n8n/rest', 'leads to the private address n8n'],
	[LOCAL, 'http://127.0.0.1:5678/', 'leads to the private address 127.0.0.1:5678'],
	[LOCAL, 'http://10.0.0.5:8790/', 'leads to the private address 10.0.0.5:8790'],
	['http://10.0.0.5', 'http://10.0.0.6', 'leads to the private address 10.0.0.6'],
	['http://10.0.0.5', 'http://10.0.0.5:9200', 'leads to the private address 10.0.0.5:9200'],
])('a link from %s to %s is followed, or has this defect: %s', (baseUrl, link, defect) => {
	expect(linkDefect(baseUrl, link)).toBe(defect);
});

describe('A guarded body', () => {
	/** The timers that were set. */
	const timers: Array<{ ms: number; fire: () => Promise<void> }> = [];
	const STALLED = { message: 'The transfer made no progress', code: 'ESTALLED' };

	beforeEach(() => {
		timers.length = 0;
		jest.replaceProperty(POLICY as { stalledAfterMs: number }, 'stalledAfterMs', 1000);
		jest.spyOn(Date, 'now').mockReturnValue(0);
		jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
			const timer = new AbortController();
			const fire = async () => (timer.abort(), await new Promise<void>((resolve) => setImmediate(resolve)));
			timers.push({ ms, fire });
			return timer.signal;
		});
	});

	/** A body whose first chunk was read. */
	async function started() {
		const body = new PassThrough();
		const close = jest.fn(() => void body.destroy(failed('ERR_CANCELED')));
		const bytes = guarded({ body, close });
		/** The next chunk, of which `text` comes at a moment. */
		const readAt = async (ms: number, text: string) => {
			const next = bytes.next();
			jest.mocked(Date.now).mockReturnValue(ms);
			body.write(text);
			return String((await next).value);
		};
		expect(await readAt(0, 'a')).toBe('a');
		const thrown = () => bytes.next().catch((error: unknown) => error);
		return { body, bytes, close, readAt, thrown };
	}

	test('passes on every byte, closes its connection, and is not broken while its reader is busy', async () => {
		const { body, bytes, close, readAt } = await started();
		jest.mocked(Date.now).mockReturnValue(5000);
		await timers[0].fire();
		expect(close).not.toHaveBeenCalled();
		expect(await readAt(5000, 'b')).toBe('b');
		body.end();
		expect((await bytes.next()).done).toBe(true);
		expect(close).toHaveBeenCalledTimes(1);
		await timers[1].fire();
		expect(timers.map(({ ms }) => ms)).toEqual([1000, 1000]);
	});

	test('is broken when bytes do not come for the time limit', async () => {
		const { close, thrown } = await started();
		jest.mocked(Date.now).mockReturnValue(400);
		const broken = thrown();
		jest.mocked(Date.now).mockReturnValue(1000);
		await timers[0].fire();
		expect(close).not.toHaveBeenCalled();
		jest.mocked(Date.now).mockReturnValue(1400);
		await timers[1].fire();
		expect(await broken).toMatchObject(STALLED);
		expect(timers.map(({ ms }) => ms)).toEqual([1000, 400]);
	});

	test('is broken when bytes drip for the time limit, and not while they come at a kilobyte a second', async () => {
		const slow = await started();
		for (const ms of [900, 1800, 2700]) expect(await slow.readAt(ms, 'b'.repeat(900))).toHaveLength(900);
		const rest = slow.bytes.next();
		await timers[0].fire();
		expect(slow.close).not.toHaveBeenCalled();
		slow.body.end();
		await rest;

		const drip = await started();
		for (const ms of [3200, 3600]) expect(await drip.readAt(ms, 'b')).toBe('b');
		const broken = drip.thrown();
		jest.mocked(Date.now).mockReturnValue(3703);
		await timers.at(-1)!.fire();
		expect(await broken).toMatchObject(STALLED);
	});
});
