/** What `startSandbox` takes. Every option has a default; `0` as a port means any free port. */
export interface SandboxOptions {
	port: number;
	mediaPort: number;
	host: string;
	/** Same seed and sizes = same data, keys and IDs. */
	seed: number;
	conversations: number;
	awaitingUpload: number;
	errored: number;
	users: number;
	teams: number;
	/** ISO 8601, first moment of the generated data. */
	from: string;
	/** ISO 8601, last moment of the generated data. */
	to: string;
	/** D1 § Limits says six hours. */
	linkLifetimeSeconds: number;
	/** Length of every generated audio file, seconds. */
	audioSeconds: number;
	/** D1 does not show how the arrays are ordered. */
	order: 'oldestFirst' | 'newestFirst';
	/** How long a webhook's receiver may take to answer, milliseconds (D1 § Limits: ten seconds). */
	webhookTimeoutMs: number;
	/** Wait before each retry of a delivery that every subscription failed, milliseconds; not shown in D1. */
	webhookRetryDelaysMs: readonly number[];
	/** Webhook POSTs under way at the same time. */
	webhookConcurrency: number;
	/** Folder that keeps the state over a restart; without it the state is in memory. */
	dataFolder: string | undefined;
	/** How long ingested media takes to become a conversation. */
	processingSeconds: number;
	/** Usage plan of every CRM key (D2 § Limits); 0 = none. */
	ratePerSecond: number;
	burst: number;
	/** Prints one line per request. */
	log: boolean;
}

export const defaultOptions: SandboxOptions = {
	port: 0,
	mediaPort: 0,
	host: '127.0.0.1',
	seed: 1,
	conversations: 2501,
	awaitingUpload: 120,
	errored: 35,
	users: 40,
	teams: 8,
	from: '2023-01-01T00:00:00Z',
	to: '2026-01-01T00:00:00Z',
	linkLifetimeSeconds: 21_600,
	audioSeconds: 3,
	order: 'oldestFirst',
	webhookTimeoutMs: 10_000,
	webhookRetryDelaysMs: [2_000, 10_000, 60_000],
	webhookConcurrency: 50,
	dataFolder: undefined,
	processingSeconds: 2,
	ratePerSecond: 0,
	burst: 1,
	log: false,
};

const wholeNumbers = {
	port: [0, 65_535],
	mediaPort: [0, 65_535],
	seed: [0, 0xffff_ffff],
	conversations: [0, 2_000_000_000],
	awaitingUpload: [0, 2_000_000_000],
	errored: [0, 2_000_000_000],
	users: [1, 100_000],
	teams: [1, 10_000],
	webhookTimeoutMs: [1, 600_000],
	webhookConcurrency: [1, 1_000],
} as const;

/** Options that need not be whole, with the least that each can be. */
const numbers = {
	linkLifetimeSeconds: 0,
	audioSeconds: 0,
	processingSeconds: 0,
	ratePerSecond: 0,
	burst: 1,
} as const;

/**
 * Fills in the defaults and refuses options that cannot work.
 * @throws Error with one sentence that names the option.
 */
export function completeOptions(given: Partial<SandboxOptions>): SandboxOptions {
	const known = Object.entries(given).filter(([, value]) => value !== undefined);
	const options: SandboxOptions = { ...defaultOptions, ...Object.fromEntries(known) };
	for (const [name, [least, most]] of Object.entries(wholeNumbers)) {
		const value = options[name as keyof typeof wholeNumbers];
		if (!Number.isInteger(value) || value < least || value > most) {
			throw new Error(`Option "${name}" must be a whole number from ${least} to ${most}, not ${value}.`);
		}
	}
	for (const name of ['from', 'to'] as const) {
		if (Number.isNaN(Date.parse(options[name]))) {
			throw new Error(`Option "${name}" must be an ISO 8601 date, not "${options[name]}".`);
		}
	}
	if (Date.parse(options.to) <= Date.parse(options.from)) {
		throw new Error('Option "to" must be after option "from".');
	}
	for (const [name, least] of Object.entries(numbers)) {
		const value = options[name as keyof typeof numbers];
		if (!(value >= least && value < Infinity))
			throw new Error(`Option "${name}" must be a number, ${least} or more.`);
	}
	if (!options.webhookRetryDelaysMs.every((delay) => Number.isInteger(delay) && delay >= 0)) {
		throw new Error('Option "webhookRetryDelaysMs" must be whole numbers of milliseconds, 0 or more.');
	}
	if (!['oldestFirst', 'newestFirst'].includes(options.order)) {
		throw new Error('Option "order" must be oldestFirst or newestFirst.');
	}
	return options;
}
