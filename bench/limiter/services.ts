/** What a service does with a request: how long it takes, and its status. */
export interface Service {
	latencyMs: () => number;
	/** Called when a request arrives. */
	statusAt: (now: number) => number;
	/** How long a 429 takes; as long as any response by default. A gateway refuses at once, without the service behind it. */
	refusalMs?: number;
	/** Seconds in the `Retry-After` header of a 429. */
	retryAfter?: number;
}

export const uniform = (): number => 50;

/** 2 % of the responses take 3 s, 18 % take 300 ms, the others 50 ms. */
export function mixed(): number {
	const drawn = Math.random();
	return drawn < 0.02 ? 3000 : drawn < 0.2 ? 300 : 50;
}

export const refusing = (share: number) => () => (): number => (Math.random() < share ? 429 : 200);

/** A usage plan as gateways have it: a token bucket. */
export const plan = (perSecond: number, burst: number) => () => {
	let [tokens, at] = [burst, 0];
	return (now: number): number => {
		tokens = Math.min(burst, tokens + ((now - at) / 1000) * perSecond);
		at = now;
		return tokens >= 1 ? (tokens--, 200) : 429;
	};
};

/** So many requests in each minute of the clock. */
export const minuteQuota = (perMinute: number) => () => {
	let [minute, used] = [0, 0];
	return (now: number): number => {
		if (Math.floor(now / 60_000) !== minute) [minute, used] = [Math.floor(now / 60_000), 0];
		return used < perMinute ? (used++, 200) : 429;
	};
};

/** The same response for ever. */
export const always = (status: number) => () => () => status;
