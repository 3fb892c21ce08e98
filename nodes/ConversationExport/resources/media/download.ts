import { randomInt } from 'crypto';
import { NodeApiError, sleep, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';
import { toNodeError } from '../../../shared/operation';
import { backoffMs, isTransientStatus, networkCode, RETRY, retryAfterMs } from '../../../shared/transport';
import { freshLink, linkOfInput, type LinkField, type PresignedLink } from './presignedLink';
import type { Readable } from '../../../shared/export/file/byteStream';

/** What a presigned link answered. */
export interface MediaAnswer {
	body: Readable;
	/** As the host says, e.g. `audio/wav`; undefined when it does not. */
	contentType: string | undefined;
	title: string | undefined;
}

/** Statuses by which object stores answer a link that has expired; a fresh one may help. */
const MAY_BE_EXPIRED = [400, 401, 403, 404, 410];

export interface Download {
	conversationId: string;
	field: LinkField;
	/** What is downloaded, for messages: `transcript` or `audio`. */
	what: string;
}

/**
 * Downloads from a presigned link, without any credential and with the URL byte for byte as the service gave it.
 * A link that has expired is replaced by a fresh one, once, and so is one of the input item that leads nowhere;
 * transient trouble is tried again, also in the middle of the file.
 *
 * @param take stores the body; called again for each further attempt
 * @throws NodeApiError without the link: its query is a credential
 */
export async function download<Taken>(
	context: IExecuteFunctions,
	itemIndex: number,
	{ conversationId, field, what }: Download,
	take: (answer: MediaAnswer) => Promise<Taken>,
): Promise<Taken> {
	let link =
		linkOfInput(context, itemIndex, conversationId, field) ??
		(await freshLink(context, itemIndex, conversationId, field));
	let looksUp = 0;
	for (let attempt = 1; ; attempt++) {
		if (link.url === '') throw mediaFailure(context, itemIndex, `The conversation has no ${what}`, '');
		const outcome = await tryOnce(context, itemIndex, link, take);
		if ('taken' in outcome) return outcome.taken;
		context.getExecutionCancelSignal()?.throwIfAborted();
		const { status, retryAfter } = outcome;
		const mayBeOld = status === undefined ? link.isFromInput : MAY_BE_EXPIRED.includes(status);
		if (mayBeOld && looksUp++ === 0) {
			link = await freshLink(context, itemIndex, conversationId, field);
			continue;
		}
		const isTransient = status === undefined || isTransientStatus(status);
		if (!isTransient || attempt > RETRY.maxRetries) {
			const said =
				status === undefined ? `gave no whole answer (${outcome.code})` : `answered with status ${status}`;
			throw mediaFailure(
				context,
				itemIndex,
				`The ${what} could not be downloaded`,
				`The media host ${said}${looksUp > 0 ? ', also with a fresh link' : ''}. ${
					isTransient
						? 'It may work later: run the workflow again.'
						: 'Check in the web app whether the file exists.'
				}`,
				status,
			);
		}
		const asked = retryAfterMs(retryAfter, Date.now());
		await sleep(
			Math.min(asked ?? backoffMs(attempt, randomInt(1_000_000) / 1_000_000), RETRY.maxRetryAfterMs),
		);
	}
}

type Outcome<Taken> = { taken: Taken } | { status?: number; retryAfter?: unknown; code?: string };

async function tryOnce<Taken>(
	context: IExecuteFunctions,
	itemIndex: number,
	{ url, title }: PresignedLink,
	take: (answer: MediaAnswer) => Promise<Taken>,
): Promise<Outcome<Taken>> {
	try {
		const { statusCode, headers, body } = (await context.helpers.httpRequest({
			method: 'GET',
			url,
			encoding: 'stream',
			ignoreHttpStatusErrors: true,
			returnFullResponse: true,
		})) as { statusCode: number; headers: IDataObject; body: Readable };
		if (statusCode < 200 || statusCode > 299) {
			body.destroy();
			return { status: statusCode, retryAfter: headers['retry-after'] };
		}
		const contentType = typeof headers['content-type'] === 'string' ? headers['content-type'] : undefined;
		return { taken: await take({ body, contentType, title }) };
	} catch (error) {
		const code = networkCode(error);
		if (code === undefined || STORAGE.test(code)) throw toNodeError(context, error, itemIndex);
		return { code };
	}
}

/** Codes of trouble with n8n's own storage, which another attempt does not cure. */
const STORAGE = /^E(NOSPC|ACCES|ROFS|DQUOT|MFILE|PERM)$/;

function mediaFailure(
	context: IExecuteFunctions,
	itemIndex: number,
	what: string,
	description: string,
	status?: number,
): NodeApiError {
	const message = `${what} [Item ${itemIndex}]`;
	return new NodeApiError(
		context.getNode(),
		{ message, description },
		{ message, description, itemIndex, httpCode: status === undefined ? undefined : String(status) },
	);
}
