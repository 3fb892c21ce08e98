import { UserError } from 'n8n-workflow';
import { download, type MediaFile } from '../../../../nodes/ConversationIntelligence/downloads/download';
import { POLICY } from '../../../../nodes/shared/http/policy';
import { failed } from '../../shared/http/scriptedService';
import { ID, mediaItem, URL, type Sends } from './mediaItem';

const TRIED = 'Tried 6 times. It may work later: run the workflow again.';
const CHECK = "Check in your conversation service's web app whether the file exists.";

beforeEach(() => jest.replaceProperty(POLICY as { baseDelayMs: number }, 'baseDelayMs', 1));

async function textOf({ body }: MediaFile): Promise<string> {
	let text = '';
	for await (const chunk of body) text += Buffer.from(chunk).toString();
	return text;
}

test("shows n8n's own refusal of a download as it is, and does not repeat it", async () => {
	const refusal = new UserError('The request was blocked', { description: 'Ask your n8n administrator.' });
	const { item, asked } = mediaItem({ sends: [new Error('Request failed', { cause: refusal })] });

	const { message, description } = refusal;
	await expect(download(item, 'audio', ID, textOf)).rejects.toMatchObject({ message, description });
	expect(asked).toHaveLength(1);
});

test.each([200, 206, 299])('takes the file of a response with status %d', async (statusCode) => {
	const headers = { 'content-type': 'audio/mpeg' };
	const { item, lookUps } = mediaItem({ sends: [{ statusCode, headers, body: 'sound' }] });
	const take = async ({ body, ...rest }: MediaFile) => [rest, await textOf({ body, ...rest })];

	const type = { extension: 'mp3', mimeType: 'audio/mpeg' };
	await expect(download(item, 'audio', ID, take)).resolves.toEqual([{ title: 'Roof', ...type }, 'sound']);
	expect(lookUps).toHaveLength(1);
});

// D1-LIM-03, D1-CONV-09, D1-CONV-22
test.each([400, 401, 403, 404, 410])(
	'replaces a link with the status %d by a fresh one, once',
	async (status) => {
		const known = { audioUrl: 'https://media.example/old' };
		const renewed = mediaItem({ sends: [{ statusCode: status }, { statusCode: 200, body: 'sound' }] });
		await expect(download(renewed.item, 'audio', ID, textOf, known)).resolves.toBe('sound');
		expect(renewed.asked.map(({ url }) => url)).toEqual([known.audioUrl, URL]);

		const { item, lookUps, bodies } = mediaItem({ sends: [{ statusCode: status, body: 'Expired' }] });
		await expect(download(item, 'audio', ID, textOf)).rejects.toMatchObject({
			description: `The media host answered with status ${status}, even with a fresh link. ${CHECK}`,
			details: { code: 'download_failed', status },
		});
		expect(lookUps).toHaveLength(2);
		expect(bodies.map(({ destroyed }) => destroyed)).toEqual([true, true]);
	},
);

test.each<[string, Sends, string, number]>([
	['status 418', { statusCode: 418 }, `answered with status 418. ${CHECK}`, 1],
	['status 300', { statusCode: 300 }, `answered with status 300. ${CHECK}`, 1],
	['status 500', { statusCode: 500 }, `answered with status 500. ${TRIED}`, 6],
	['no connection', failed('ECONNREFUSED'), `could not be reached (ECONNREFUSED). ${TRIED}`, 6],
	['half a file', failed('ECONNRESET'), `did not send the whole file (ECONNRESET). ${TRIED}`, 6],
	[
		'a certificate that is not trusted',
		failed('DEPTH_ZERO_SELF_SIGNED_CERT'),
		'has a certificate that is not accepted (DEPTH_ZERO_SELF_SIGNED_CERT). Renew it, or let this n8n trust its issuer.',
		1,
	],
	[
		'a link that is not an address',
		failed('ERR_INVALID_URL'),
		'did not deliver the file (ERR_INVALID_URL). Repeating does not help: check any proxy between n8n and the media host.',
		1,
	],
	['a pause', failed('ESTALLED'), `sent nothing for 60 seconds. ${TRIED}`, 6],
])('fails with the whole reason after %s', async (_what, sends, reason, attempts) => {
	const { item, asked } = mediaItem({ sends: [sends] });

	await expect(download(item, 'audio', ID, textOf)).rejects.toMatchObject({
		description: `The media host ${reason}`,
		details: { code: 'download_failed', retryable: attempts > 1 },
	});
	expect(asked).toHaveLength(attempts);
});

test('refuses a web page, and closes the connection', async () => {
	const headers = { 'content-type': 'text/html' };
	const { item, asked, bodies } = mediaItem({
		sends: [{ statusCode: 200, headers, body: 'x'.repeat(1000) }],
	});

	await expect(download(item, 'transcript', ID, textOf)).rejects.toMatchObject({
		context: { details: { code: 'media_is_web_page' } },
		message: expect.stringContaining('instead of the transcript'),
	});
	expect(asked).toHaveLength(1);
	expect(bodies[0].destroyed).toBe(true);
});

test('repeats a broken transfer, whatever the reader of its bytes makes of it', async () => {
	const { item, asked, bodies } = mediaItem({ sends: [{ statusCode: 200, body: 'sound' }] });
	const wraps = async ({ body }: MediaFile) => {
		if (asked.length === 1) bodies[0].destroy(failed('ECONNRESET'));
		try {
			return await textOf({ body } as MediaFile);
		} catch {
			throw new Error('The store lost the stream');
		}
	};

	await expect(download(item, 'audio', ID, wraps)).resolves.toBe('sound');
	expect(asked).toHaveLength(2);
});

test('fails without a request when the conversation has no file', async () => {
	const { item, asked, lookUps } = mediaItem({ sends: [failed('ECONNRESET')] });

	const read = download(item, 'audio', ID, textOf, {});
	await expect(read).rejects.toMatchObject({ details: { code: 'media_missing' } });
	expect({ asked, lookUps }).toEqual({ asked: [], lookUps: [] });
});
