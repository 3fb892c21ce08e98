import type { FaultRequest } from '../../../../sandbox';

/** Operations for which a fault has the same result. */
export type Kind = 'get' | 'list' | 'transcript' | 'audio' | 'write' | 'delete';

/**
 * The result of an operation under a fault: the `same` output as without it, a `refused` item with a matching text, or
 * an item that is `output` despite an unexpected response, with matching data or hint.
 */
export type Expected = 'same' | { refused: RegExp } | { output: RegExp } | { hint: RegExp };

/** What goes wrong between n8n and the service. */
export interface Fault {
	title: string;
	/** Applies to the first request only; otherwise to every request. */
	once?: boolean;
	strike?: Omit<FaultRequest, 'path' | 'times'>;
	/** Replaces the base URL or the host of presigned links. */
	origin?: string;
	/** One for all operations, or by kind. */
	expected: Expected | Record<Kind, Expected>;
}

/** A refusal in the words that messages quote. The request does not reach the service. */
const refusal = (status: number, more: Partial<FaultRequest> = {}): Fault['strike'] => ({
	kind: 'serverError',
	status,
	text: 'The words of the service.',
	...more,
});

/** Refused items whose text depends on which host answers. */
const refusedBy = (
	service: RegExp,
	media: RegExp,
	appointments = service,
	removal = appointments,
): Record<Kind, Expected> => ({
	get: { refused: service },
	list: { refused: service },
	transcript: { refused: media },
	audio: { refused: media },
	write: { refused: appointments },
	delete: { refused: removal },
});

const quoted = /Status \d{3}: "The words of the service\."/;
const said = (message: string) => new RegExp(`^${message}.*${quoted.source}`);
const notDownloaded = (why: string) => new RegExp(`could not be downloaded.*${why}`);
const unreachable = /^The service cannot be reached.*Tried 6 times/;

/** The response to the delete was lost, so the retry finds nothing: the appointment is deleted. */
const sameOrGone: Record<Kind, Expected> = {
	get: 'same',
	list: 'same',
	transcript: 'same',
	audio: 'same',
	write: 'same',
	delete: { output: /"deleted":true/ },
};

export const faults: Fault[] = [
	{ title: 'None', expected: 'same' },
	{
		title: '401',
		strike: refusal(401),
		expected: refusedBy(said('The service does not recognize the API key'), notDownloaded('status 401')),
	},
	{
		title: '403',
		strike: refusal(403),
		expected: refusedBy(said('The service refuses the API key'), notDownloaded('status 403')),
	},
	{
		title: '404',
		strike: refusal(404),
		expected: {
			...refusedBy(said('The service has nothing at this address'), notDownloaded('status 404')),
			get: { refused: said('The conversation does not exist or is outside the teams of this key') },
			delete: { refused: said('No appointment has this Event ID') },
		},
	},
	{
		title: '409',
		strike: refusal(409),
		expected: {
			...refusedBy(said('The service refused the request'), notDownloaded('status 409')),
			delete: { refused: said('The appointment has a linked recording and cannot be deleted') },
		},
	},
	{
		title: '422',
		strike: refusal(422),
		expected: refusedBy(
			said('The service refused the request'),
			notDownloaded('status 422'),
			said('The service cannot process the request'),
		),
	},
	{ title: '429 once', once: true, strike: refusal(429), expected: 'same' },
	{
		title: '429 with Retry-After once',
		once: true,
		strike: refusal(429, { retryAfterSeconds: 1 }),
		expected: 'same',
	},
	{
		title: '429 always',
		strike: refusal(429),
		expected: refusedBy(
			said('The service is limiting the rate of requests'),
			notDownloaded('status 429.*Tried 11 times'),
		),
	},
	{ title: '500 once', once: true, strike: refusal(500), expected: 'same' },
	{
		title: '500 always',
		strike: refusal(500),
		expected: refusedBy(
			said('The service could not process the request'),
			notDownloaded('status 500.*Tried 6 times'),
		),
	},
	{
		title: 'Connection reset once',
		once: true,
		strike: { kind: 'connectionReset' },
		expected: 'same',
	},
	{
		title: 'Connection refused',
		origin: 'http://127.0.0.1:9',
		expected: refusedBy(unreachable, /leads to the private address 127\.0\.0\.1:9/),
	},
	{
		title: 'Unknown host',
		origin: 'https://nowhere.invalid',
		expected: refusedBy(unreachable, notDownloaded('ENOTFOUND.*Tried 6 times')),
	},
	{ title: 'Stall before the response once', once: true, strike: { kind: 'stall' }, expected: 'same' },
	{ title: 'Stall in the body once', once: true, strike: { kind: 'stalledBody' }, expected: sameOrGone },
	{
		title: 'Truncated body once',
		once: true,
		strike: { kind: 'truncatedBody' },
		expected: sameOrGone,
	},
	{
		title: 'Web page with status 200',
		strike: { kind: 'htmlPage', status: 200 },
		expected: refusedBy(/web page/, /web page/),
	},
	{
		title: 'Broken JSON',
		strike: { kind: 'brokenJson', text: '{"rows": [1, ' },
		expected: {
			...refusedBy(/^The service's response is not valid JSON/, /^The transcript is not/),
			audio: { output: /"bytes":13/ },
			write: { output: /rows/ },
			delete: { output: /rows/ },
		},
	},
	{
		title: 'Wrong types',
		strike: { kind: 'wrongTypes' },
		expected: {
			get: { hint: /is not a number/ },
			list: { hint: /is not a number/ },
			transcript: { output: /./ },
			audio: 'same',
			write: 'same',
			delete: 'same',
		},
	},
	{
		title: 'Null row',
		strike: { kind: 'nullRow' },
		expected: {
			get: { refused: /^The service's response is not a JSON object/ },
			list: { hint: /The row is not an object/ },
			transcript: { refused: /^The transcript is not/ },
			audio: 'same',
			write: 'same',
			delete: 'same',
		},
	},
	{
		title: 'Unknown field',
		strike: { kind: 'changedRow', fields: { unknownField: { nested: 1 } } },
		expected: {
			get: { output: /unknownField/ },
			list: { output: /unknownField/ },
			transcript: 'same',
			audio: 'same',
			write: 'same',
			delete: 'same',
		},
	},
];

/** The expected result of an operation of this kind under a fault. */
export function expectedOf({ expected }: Fault, kind: Kind): Expected {
	return typeof expected === 'object' && kind in expected
		? (expected as Record<Kind, Expected>)[kind]
		: (expected as Expected);
}
