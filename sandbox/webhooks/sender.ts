import { createHmac } from 'node:crypto';
import { Agent, type Dispatcher, interceptors, request } from 'undici';
import { codeOf, messageOf } from '../problem';
import { isDeliverable, type Subscription } from './subscriptions';

/** The outcome of one POST. */
export interface Outcome {
	/** The endpoint's HTTP status; null without a response. */
	status: number | null;
	/** True for a 2xx status within the time limit. */
	isSuccess: boolean;
	/** Why there is no status. */
	problem: string | null;
	milliseconds: number;
	/** Start of the response body, which may explain a refusal. */
	response: string;
}

const RESPONSE_CHARACTERS = 300;

/** Blocks redirects to addresses that a subscription cannot have (D1-WH-05). */
const onlyDeliverable: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
	const origin = new URL(String(options.origin));
	if (!isDeliverable(origin)) throw new Error(`Not delivered: ${origin.origin} is not an HTTPS endpoint.`);
	return dispatch(options, handler);
};

/** `sha256=` and the lowercase hex HMAC-SHA256 of the raw body (D1 § Webhook delivery). */
const signatureOf = (secret: string, body: Buffer) =>
	`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

/** Sends signed bodies over keep-alive connections. */
export class Sender {
	private readonly agent = new Agent({ keepAliveTimeout: 10_000, connect: { timeout: 0 } });
	private readonly direct = this.agent.compose(onlyDeliverable);
	private readonly following = this.agent.compose(
		onlyDeliverable,
		interceptors.redirect({ maxRedirections: 5 }),
	);

	/** @param timeoutMs from the first byte sent to the status received (D1 § Limits: ten seconds) */
	constructor(private readonly timeoutMs: number) {}

	/** Posts to a subscription's endpoint. Never throws: a failure is an outcome. */
	async post({ url, secret, customHeaders }: Subscription, body: Buffer): Promise<Outcome> {
		const started = performance.now();
		const signal = AbortSignal.timeout(this.timeoutMs);
		const outcome = (rest: Partial<Outcome>): Outcome => {
			const milliseconds = Math.round(performance.now() - started);
			return { status: null, isSuccess: false, problem: null, response: '', ...rest, milliseconds };
		};
		try {
			const hasCustomHeaders = Object.keys(customHeaders).length > 0;
			const response = await request(url, {
				method: 'POST',
				dispatcher: hasCustomHeaders ? this.direct : this.following,
				signal,
				headers: {
					...customHeaders,
					'Content-Type': 'application/json',
					...(secret !== undefined && { 'X-Service-Signature': signatureOf(secret, body) }),
				},
				body,
			});
			const status = response.statusCode;
			const isSuccess = status >= 200 && status <= 299;
			const known = outcome({ status, isSuccess });
			// Only the status decides, whatever becomes of the body.
			const text = await response.body.text().catch(() => '');
			return { ...known, response: text.slice(0, RESPONSE_CHARACTERS) };
		} catch (error) {
			const late = signal.aborted && `No response within ${this.timeoutMs / 1000} seconds`;
			return outcome({ problem: late || messageOf(error) || String(codeOf(error) ?? 'Not delivered') });
		}
	}

	async close(): Promise<void> {
		await this.agent.destroy();
	}
}
