import { UserError } from 'n8n-workflow';
import { storeFile } from '../../../../nodes/ConversationIntelligence/downloads/binaryStorage';
import { download, type MediaFile } from '../../../../nodes/shared/media/download';
import type { Item } from '../../../../nodes/shared/node/item';
import { POLICY } from '../../../../nodes/shared/http/policy';
import { TooSlow } from '../../../../nodes/shared/http/response';
import { failed } from '../http/scriptedService';
import { ID, mediaHost, URL, type Sends } from './mediaHost';

const TRIED = 'Tried 6 times. It may work later: run the workflow again.';
const CHECK = "Check in your conversation service's web app whether the file exists.";
const PROXY = 'Check the certificate of the media host, and any proxy between n8n and the host.';

beforeEach(() => jest.replaceProperty(POLICY as { baseDelayMs: number }, 'baseDelayMs', 1));

async function textOf({ body }: Pick<MediaFile, 'body'>): Promise<string> {
	let text = '';
	for await (const chunk of body) text += Buffer.from(chunk).toString();
	return text;
}

test.each([200, 206, 299])('takes the file of a response with status %d', async (statusCode) => {
	const headers = { 'content-type': 'audio/mpeg' };
	const { context, lookUps, bodies } = mediaHost({ sends: [{ statusCode, headers, body: 'sound' }] });
	const take = async ({ body, ...rest }: MediaFile) => ({ ...rest, text: await textOf({ body }) });
	const file = { title: 'Roof', extension: 'mp3', mimeType: 'audio/mpeg', text: 'sound' };
	expect(await download(context, 'audio', ID, take)).toEqual(file);
	expect(lookUps).toHaveLength(1);
	// Also when nobody reads it.
	await download(context, 'audio', ID, async () => 'unread');
	expect(bodies.map(({ destroyed }) => destroyed)).toEqual([true, true]);
});

// D1-LIM-03, D1-CONV-09, D1-CONV-22
test.each([400, 401, 403, 404, 410])(
	'replaces a link with the status %d by a fresh one, once',
	async (status) => {
		const known = { audioUrl: 'https://media.example/old' };
		const renewed = mediaHost({ sends: [{ statusCode: status }, { statusCode: 200, body: 'sound' }] });
		await expect(download(renewed.context, 'audio', ID, textOf, known)).resolves.toBe('sound');
		expect(renewed.asked.map(({ url }) => url)).toEqual([known.audioUrl, URL]);

		const { context, lookUps, bodies } = mediaHost({ sends: [{ statusCode: status, body: 'Expired' }] });
		await expect(download(context, 'audio', ID, textOf)).rejects.toMatchObject({
			description: `The media host answered with status ${status}, even with a fresh link. ${CHECK}`,
			details: { code: 'download_failed', status },
		});
		expect(lookUps).toHaveLength(2);
		expect(bodies.map(({ destroyed }) => destroyed)).toEqual([true, true]);
	},
);

test.each<[Sends, string, number]>([
	[{ statusCode: 418 }, `answered with status 418. ${CHECK}`, 1],
	[{ statusCode: 300 }, `answered with status 300. ${CHECK}`, 1],
	[{ statusCode: 500 }, `answered with status 500. ${TRIED}`, 6],
	[failed('ECONNREFUSED'), `did not send the file (ECONNREFUSED). ${TRIED}`, 6],
	[failed('CERT_HAS_EXPIRED'), `did not send the file (CERT_HAS_EXPIRED). ${PROXY}`, 1],
	[new TooSlow(60_000), `did not send the file (ETIMEDOUT). ${TRIED}`, 6],
])('says what the media host did: %j %s', async (sends, reason, attempts) => {
	const { context, asked } = mediaHost({ sends: [sends] });
	await expect(download(context, 'audio', ID, textOf)).rejects.toMatchObject({
		description: expect.stringContaining(`The media host ${reason}`),
		details: { code: 'download_failed', retryable: attempts > 1 },
	});
	expect(asked).toHaveLength(attempts);
});

test("shows n8n's own refusal of a download as it is, and does not repeat it", async () => {
	const cause = new UserError('The request was blocked', { description: 'Ask your n8n administrator.' });
	const { context, asked } = mediaHost({ sends: [new Error('Request failed', { cause })] });
	const { message, description } = cause;
	await expect(download(context, 'audio', ID, textOf)).rejects.toMatchObject({ message, description });
	expect(asked).toHaveLength(1);
});

test("repeats a broken transfer, whatever n8n's storage makes of it, and no failure of the storage", async () => {
	const { context, asked, bodies } = mediaHost({
		sends: [{ statusCode: 200, body: 'sound of a roof' + '.'.repeat(20) }],
	});
	const store = async (stream: AsyncIterable<Uint8Array>) => {
		if (asked.length === 1) bodies[0].destroy(failed('ECONNRESET'));
		const text = await textOf({ body: stream }).catch(() => Promise.reject(new Error('The upload failed')));
		if (asked.length === 2) throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
		return { fileName: text };
	};
	Object.assign(context.helpers, { prepareBinaryData: store });
	const take = async ({ body }: MediaFile) =>
		await storeFile({ context } as Item, 'audio', body, 'a.mp3', undefined);
	await expect(download(context, 'audio', ID, take)).rejects.toMatchObject({
		description: 'Check n8n\'s binary storage, which says "read ECONNRESET".',
		context: { details: { code: 'file_not_stored' } },
	});
	expect(asked).toHaveLength(2);
	await expect(download(context, 'audio', ID, take)).resolves.toEqual({
		fileName: expect.stringMatching(/^sound of a roof/),
	});
});

test('refuses a web page', async () => {
	const page = { statusCode: 200, headers: { 'content-type': 'text/html' }, body: 'x'.repeat(1000) };
	const { context, bodies } = mediaHost({ sends: [page] });
	await expect(download(context, 'transcript', ID, textOf)).rejects.toMatchObject({
		context: { details: { code: 'media_is_web_page' } },
		message: expect.stringContaining('instead of the transcript'),
	});
	expect(bodies.map(({ destroyed }) => destroyed)).toEqual([true]);
});
