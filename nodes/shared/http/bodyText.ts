import { jsonParse } from 'n8n-workflow';
import { hideQueries, isObject } from '../base/text';
import type { ServiceResponse } from './policy';

/** Characters of a body that are searched for links before some of them are quoted. */
const MAX_WORDS = 10_000;

/** Status and the service's own words; a web page is named, not quoted. */
export function responseInWords({ status, body }: ServiceResponse): string {
	const words = bodyWords(body);
	if (words === undefined) return `Status ${status}: a web page instead of a response.`;
	if (words === '') return `Status ${status}.`;
	return `Status ${status}: "${words}"${/[.!?]$/.test(words) ? '' : '.'}`;
}

/** The service's own words, in one line of readable length; undefined for a web page. */
export function bodyWords(body: string): string | undefined {
	if (isWebPage(body)) return undefined;
	const text = hideQueries(wordsOf(body).slice(0, MAX_WORDS)).replace(/\s+/g, ' ').trim();
	return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

/** What an error body in JSON says in words, e.g. `Not found` for `{"message":"Not found"}`; any other body as it is. */
function wordsOf(body: string): string {
	const json = jsonParse<unknown>(body, { fallbackValue: null });
	const { message, error } = isObject(json) ? json : { message: json, error: undefined };
	const words = [message, error, isObject(error) ? error.message : undefined];
	return words.find((one): one is string => typeof one === 'string' && one.trim() !== '') ?? body;
}

/** Whether a body begins with a tag, as a web page does, e.g. the sign-in page of a proxy, sent with status 200. */
export const isWebPage = (body: string) => /^\s*<([!?]|[a-z][a-z0-9:]*[\s/>])/i.test(body);
