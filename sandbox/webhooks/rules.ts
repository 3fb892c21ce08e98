import { validateHeaderName, validateHeaderValue } from 'node:http';

/** A subscription's custom header values by name, as entered. */
export type CustomHeaders = Record<string, string>;

const mostHeaders = 5;
const mostBytes = 4096;
/** Names that cannot be set, in any case (D1-HDR-04). */
const reserved = new Set(
	(
		'Content-Type, X-Service-Signature, Host, Content-Length, Transfer-Encoding, Connection, ' +
		'Keep-Alive, TE, Trailer, Upgrade, Proxy-Authorization, Proxy-Authenticate'
	)
		.toLowerCase()
		.split(', '),
);

const isValid = (check: () => void): boolean => {
	try {
		check();
		return true;
	} catch {
		return false;
	}
};

/**
 * Describes each problem with custom headers in one sentence (D1-HDR-01 to 04). Never
 * quotes values, which can be credentials.
 */
export function customHeaderProblems(
	headers: ReadonlyArray<readonly [name: string, value: string]>,
): string[] {
	const lower = headers.map(([name]) => name.toLowerCase());
	const bytes = Buffer.byteLength(JSON.stringify(Object.fromEntries(headers)), 'utf8');
	const problemOf = ([name, value]: (typeof headers)[number], index: number) => {
		const shown = JSON.stringify(name);
		if (lower.indexOf(lower[index]) < index) return `The header ${shown} occurs twice; names ignore case.`;
		if (reserved.has(lower[index])) return `The header ${shown} is reserved and cannot be set.`;
		if (!isValid(() => validateHeaderName(name)))
			return `The header name ${shown} is not valid HTTP header text (no spaces).`;
		if (isValid(() => validateHeaderValue(name, value))) return [];
		return `The value of the header ${shown} is not valid HTTP header text (no line breaks).`;
	};
	return [
		...(headers.length > mostHeaders
			? [`At most ${mostHeaders} custom headers are allowed, not ${headers.length}.`]
			: []),
		...headers.flatMap(problemOf),
		...(bytes > mostBytes
			? [`The custom headers are ${bytes} bytes as JSON; at most ${mostBytes} are allowed.`]
			: []),
	];
}

function isLoopback(hostname: string): boolean {
	return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Sandbox's own choice: plain HTTP works on this machine, for a local n8n. */
export const loopbackNotice =
	'Plain HTTP is accepted here because the address is on this machine. The service itself delivers to HTTPS endpoints only.';

/** Whether deliveries can go to this origin (D1-WH-05). */
export function isDeliverable({ protocol, hostname }: URL): boolean {
	return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/** Describes the problem with a subscription's URL in one sentence, if it has one. */
export function endpointProblem(text: string): string | undefined {
	if (!URL.canParse(text)) return 'The URL is not a complete address such as https://example.com/webhook.';
	const url = new URL(text);
	if (!isDeliverable(url)) return 'The URL must begin with https:// (http:// only for this machine).';
	if (url.username || url.password)
		return 'The URL must not hold a user name or password: use a custom header.';
	return undefined;
}
