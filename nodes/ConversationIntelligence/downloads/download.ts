import { UserError, type IDataObject } from 'n8n-workflow';
import type { Readable } from '../binary/byteStream';
import type { Item } from '../../shared/node/item';
import {
	apiError,
	cancelSignal,
	innermost,
	isTransientStatus,
	mayHaveArrived,
	networkCode,
	RETRY,
	retrying,
	type Tried,
	type FailedAttempt,
	type Outcome,
} from '../../shared/http';
import { fetchConversation } from '../lookup';
import { guarded, peek, STALLED } from './mediaBody';
import { mediaType, type MediaType } from './mediaType';
import { linkOf, linkOfInput, type Media, type PresignedLink } from './presignedLink';

/** A file whose first bytes have arrived. */
export interface MediaAnswer extends MediaType {
	body: AsyncIterable<Uint8Array>;
	title: string | undefined;
}

/** Files that are downloaded concurrently. */
export const DOWNLOADS_AT_ONCE = 4;

/** Statuses of object stores for an expired link. A fresh one may help. */
const MAY_BE_EXPIRED = [400, 401, 403, 404, 410];

/** Error codes of n8n's own storage. Another attempt does not help. */
const STORAGE = ['ENOSPC', 'EACCES', 'EROFS', 'EDQUOT', 'EMFILE', 'EPERM'];

/** Why one request brought no file: an answer of the host, or what the HTTP helper threw. */
type Failed = { answer: NonNullable<FailedAttempt['answer']> } | { failure: unknown };

/**
 * Downloads a file of a conversation, without any credential and with the presigned URL byte for byte as the service
 * gave it. An expired link is replaced by a fresh one, once, and so is an unreachable link of the input item.
 * Transient failures are retried, even in the middle of the file.
 *
 * @param known the link, if the caller has just fetched it
 * @param take stores the body; called again for each further attempt
 * @throws NodeApiError without the link: its query is a credential
 */
export async function download<Taken>(
	item: Item,
	what: Media,
	conversationId: string,
	take: (answer: MediaAnswer) => Promise<Taken>,
	known?: PresignedLink,
): Promise<Taken> {
	const fetchLink = async () => linkOf(await fetchConversation(item, conversationId), what);
	let link = known ?? linkOfInput(item, conversationId, what) ?? (await fetchLink());
	let isRenewed = false;
	const fail = (message: string, description: string, { answer }: FailedAttempt) => {
		const httpCode = answer && String(answer.status);
		return apiError(item.context.getNode(), { message, description, itemIndex: item.index, httpCode });
	};
	const giveUp = (failed: FailedAttempt, tried?: Tried) => {
		const advice = tried
			? `Tried ${tried.attempts} times. It may work later: run the workflow again.`
			: "Check in your conversation service's web app whether the file exists.";
		const description = `The media host ${describeResponse(failed)}${isRenewed ? ', even with a fresh link' : ''}. ${advice}`;
		return fail(`The ${what} could not be downloaded`, description, failed);
	};
	const takeFile = async (answer: MediaAnswer) => {
		if (answer.mimeType !== 'text/html') return await take(answer);
		throw new UserError(`The media host sent a web page instead of the ${what}`, {
			description: 'Check whether a proxy or a sign-in page answers in its place.',
		});
	};
	const tryLink = async () => {
		if (link.url === '') throw fail(`The conversation has no ${what}`, '', {});
		return await tryOnce(item, link, takeFile);
	};
	return await retrying<Taken, FailedAttempt>({ signal: cancelSignal(item.context), giveUp }, async () => {
		let outcome = await tryLink();
		if (!isRenewed && mayBeOld(outcome, link)) {
			isRenewed = true;
			link = await fetchLink();
			outcome = await tryLink();
		}
		if ('answer' in outcome && !isTransientStatus(outcome.answer.status)) throw giveUp(outcome);
		return outcome;
	});
}

function mayBeOld(outcome: Outcome<unknown, Failed>, link: PresignedLink): boolean {
	if ('answer' in outcome) return MAY_BE_EXPIRED.includes(outcome.answer.status);
	return 'failure' in outcome && link.isFromInput;
}

async function tryOnce<Taken>(
	item: Item,
	{ url, title }: PresignedLink,
	take: (answer: MediaAnswer) => Promise<Taken>,
): Promise<Outcome<Taken, Failed>> {
	const signal = cancelSignal(item.context);
	try {
		const { statusCode, headers, body } = (await item.context.helpers.httpRequest({
			method: 'GET',
			url,
			encoding: 'stream',
			ignoreHttpStatusErrors: true,
			returnFullResponse: true,
			abortSignal: signal,
			// Time without progress, in headers or body.
			timeout: RETRY.stalledAfterMs,
		})) as { statusCode: number; headers: IDataObject; body: Readable };
		if (Math.floor(statusCode / 100) !== 2) {
			body.destroy();
			return { answer: { status: statusCode, headers } };
		}
		const bytes = guarded(body, RETRY.stalledAfterMs, signal);
		try {
			const { head, whole } = await peek(bytes);
			const contentType = headers['content-type'];
			const type = mediaType(typeof contentType === 'string' ? contentType : undefined, url, head);
			return { value: await take({ body: whole, title, ...type }) };
		} finally {
			// Closes the connection if nobody read to the end.
			await bytes.return(undefined);
		}
	} catch (error) {
		signal?.throwIfAborted();
		const code = networkCode(error);
		if (code === undefined || STORAGE.includes(code)) throw item.nodeError(innermost(error));
		return { failure: error };
	}
}

function describeResponse({ answer, failure }: FailedAttempt): string {
	if (answer) return `answered with status ${answer.status}`;
	const code = String(networkCode(failure));
	if (code === STALLED) return `sent nothing for ${RETRY.stalledAfterMs / 1000} seconds`;
	return mayHaveArrived(failure) ? `did not send the whole file (${code})` : `could not be reached (${code})`;
}
