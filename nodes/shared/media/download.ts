import type { IDataObject } from 'n8n-workflow';
import { CodedError, codedError, nodeErrorOf } from '../base/codedErrors';
import { ExportClient } from '../exportApi/client';
import {
	isTransientCode,
	isTransientStatus,
	networkCode,
	type AttemptResult,
	type FailedAttempt,
	type Tried,
} from '../http/policy';
import type { ServiceContext } from '../http/request';
import { requestRun } from '../http/requestRun';
import { MEDIA_ERRORS } from './mediaErrors';
import { mediaType, START_LENGTH } from './mediaType';
import { openLink } from './openLink';

/** A file of a conversation; the field with its link is called `transcriptUrl` or `audioUrl`. */
export type Media = 'transcript' | 'audio';

export interface MediaFile extends ReturnType<typeof mediaType> {
	body: AsyncIterable<Uint8Array>;
	title: unknown;
}

/** Files that are downloaded concurrently: recordings are few, because some of n8n's stores collect each one in memory. */
export const DOWNLOADS_AT_ONCE = { transcript: 60, audio: 5 };
/** Statuses of object stores for an expired link. A fresh one may help. */
const MAY_BE_EXPIRED = [400, 401, 403, 404, 410];

/**
 * Downloads a file by the link that the service gives. If the host refuses the link, each attempt gets a fresh link and
 * tries once more. Transient failures of the host and the network are retried.
 * @param take stores the body; called again for each further attempt; a CodedError that it throws is final
 * @throws CodedError or NodeError without the link: its query is a credential
 */
export async function download<Taken>(
	context: ServiceContext,
	what: Media,
	conversationId: string,
	take: (file: MediaFile) => Promise<Taken>,
	known?: IDataObject,
): Promise<Taken> {
	const run = requestRun(context, 'media');
	run.limiter.limit({ concurrency: DOWNLOADS_AT_ONCE[what] });
	const fetchRow = async () => await new ExportClient(context).conversation(conversationId);
	/** A fresh link stays for all further attempts. */
	let row = known ?? (await fetchRow());
	let isRenewed = false;
	const errorOf = (failed: FailedAttempt, tried?: Tried) => {
		const advice = tried
			? `Tried ${tried.attempts} times. It may work later: run the workflow again.`
			: adviceOn(failed);
		const facts = `The media host ${hostInWords(failed)}${isRenewed ? ', even with a fresh link' : ''}.`;
		const more = { facts, retryable: isTransient(failed), status: failed.response?.status };
		return codedError(MEDIA_ERRORS, 'download_failed', { file: what, advice }, more);
	};
	const attempt = async (): Promise<AttemptResult<Taken>> => {
		let outcome = await tryOnce(context, what, row, take);
		if ('response' in outcome && MAY_BE_EXPIRED.includes(outcome.response!.status)) {
			isRenewed = true;
			row = await fetchRow();
			outcome = await tryOnce(context, what, row, take);
		}
		return 'value' in outcome || isTransient(outcome) ? outcome : { error: errorOf(outcome) };
	};
	return await run.send(attempt, errorOf);
}

const isTransient = ({ response, failure }: FailedAttempt) =>
	response ? isTransientStatus(response.status) : isTransientCode(networkCode(failure));

async function tryOnce<Taken>(
	context: ServiceContext,
	what: Media,
	row: IDataObject,
	take: (file: MediaFile) => Promise<Taken>,
): Promise<{ value: Taken } | FailedAttempt> {
	const url = row[`${what}Url`];
	if (typeof url !== 'string' || url === '') throw codedError(MEDIA_ERRORS, 'media_missing', { file: what });
	const signal = requestRun(context, 'media').stopped;
	const response = await openLink(context, what, url, signal);
	if ('failure' in response) return response;
	const { statusCode: status, headers, bytes, close } = response;
	try {
		if (Math.floor(status / 100) !== 2) return { response: { status, headers } };
		const type = headers['content-type'];
		if (/^\s*text\/html/i.test(String(type))) {
			throw codedError(MEDIA_ERRORS, 'media_is_web_page', { file: what });
		}
		const { start, all } = await withStart(bytes);
		return { value: await take({ body: all, title: row.title, ...mediaType(type, url, start) }) };
	} catch (error) {
		signal.throwIfAborted();
		// Anything else is what the network did to the transfer.
		if (error instanceof CodedError) throw nodeErrorOf(context.getNode(), error);
		return { failure: error };
	} finally {
		// Closes the connection if nobody read to the end.
		close();
	}
}

/** The first bytes of a body, and all of it. */
async function withStart(body: AsyncGenerator<Uint8Array>) {
	let start: Uint8Array = new Uint8Array(0);
	while (start.length < START_LENGTH) {
		const { value, done } = await body.next();
		if (done) break;
		start = start.length > 0 ? Buffer.concat([start, value]) : value;
	}
	async function* all(): AsyncGenerator<Uint8Array> {
		yield start;
		yield* body;
	}
	return { start, all: all() };
}

const hostInWords = ({ response, failure }: FailedAttempt) =>
	response ? `answered with status ${response.status}` : `did not send the file (${networkCode(failure)})`;

const adviceOn = ({ response }: FailedAttempt) =>
	response
		? "Check in your conversation service's web app whether the file exists."
		: 'Check the certificate of the media host, and any proxy between n8n and the host.';
