import type { FaultRequest } from '../../../../sandbox';

/** What goes wrong between n8n and the service. */
export interface Fault {
	title: string;
	/** Applies to the first request only; otherwise to every request. */
	once?: boolean;
	strike?: Omit<FaultRequest, 'path' | 'times'>;
	/** Replaces the base URL or the host of presigned links. */
	origin?: string;
}

/** A refusal in the words that messages quote. The request does not reach the service. */
const refusal = (status: number, more: Partial<FaultRequest> = {}): Fault['strike'] => ({
	kind: 'serverError',
	status,
	text: 'The words of the service.',
	...more,
});

export const NO_FAULT: Fault = { title: 'None' };

export const faults: Fault[] = [
	NO_FAULT,
	...[401, 403, 404, 409, 422].map((status) => ({ title: `${status}`, strike: refusal(status) })),
	{ title: '429 once', once: true, strike: refusal(429) },
	{ title: '429 with Retry-After once', once: true, strike: refusal(429, { retryAfterSeconds: 1 }) },
	{ title: '429 always', strike: refusal(429) },
	{ title: '500 once', once: true, strike: refusal(500) },
	{ title: '500 always', strike: refusal(500) },
	{ title: 'Connection reset once', once: true, strike: { kind: 'connectionReset' } },
	{ title: 'Connection refused', origin: 'http://127.0.0.1:9' },
	{ title: 'Unknown host', origin: 'https://nowhere.invalid' },
	{ title: 'Stall before the response once', once: true, strike: { kind: 'stall' } },
	{ title: 'Stall in the body once', once: true, strike: { kind: 'stalledBody' } },
	{ title: 'Truncated body once', once: true, strike: { kind: 'truncatedBody' } },
	{ title: 'Web page with status 200', strike: { kind: 'htmlPage', status: 200 } },
	{ title: 'Broken JSON', strike: { kind: 'brokenJson', text: '{"rows": [1, ' } },
	{ title: 'Wrong types', strike: { kind: 'wrongTypes' } },
	{ title: 'Null row', strike: { kind: 'nullRow' } },
	{ title: 'Unknown field', strike: { kind: 'changedRow', fields: { unknownField: { nested: 1 } } } },
];
