import { validateHeaderName, validateHeaderValue } from 'node:http';

/** Custom headers of a subscription, name to value, as they were typed. */
export type CustomHeaders = Record<string, string>;

const mostHeaders = 5;
export const mostBytes = 4096;
/** Cannot be set, in any capitalization (D1 § Custom headers, rule 4). */
export const reservedNames: readonly string[] = (
	'Content-Type, X-Service-Signature, Host, Content-Length, Transfer-Encoding, Connection, ' +
	'Keep-Alive, TE, Trailer, Upgrade, Proxy-Authorization, Proxy-Authenticate'
).split(', ');
const reserved = new Set(reservedNames.map((name) => name.toLowerCase()));

const isValid = (check: () => void): boolean => {
	try {
		check();
		return true;
	} catch {
		return false;
	}
};

/**
 * What is wrong with custom headers (D1 § Custom headers, rules 1 to 4), one sentence each; empty when
 * nothing is. Values are never quoted: they may carry credentials.
 */
export function customHeaderProblems(
	headers: ReadonlyArray<readonly [name: string, value: string]>,
): string[] {
	const problems: string[] = [];
	if (headers.length > mostHeaders) {
		problems.push(`At most ${mostHeaders} custom headers are possible, not ${headers.length}.`);
	}
	const seen = new Set<string>();
	for (const [name, value] of headers) {
		const lower = name.toLowerCase();
		const shown = JSON.stringify(name);
		if (seen.has(lower)) problems.push(`The header ${shown} occurs twice; capitals make no difference.`);
		seen.add(lower);
		if (reserved.has(lower)) problems.push(`The header ${shown} is reserved and cannot be set.`);
		if (!isValid(() => validateHeaderName(name))) {
			problems.push(`The header name ${shown} is not valid HTTP header text (no spaces).`);
		} else if (!isValid(() => validateHeaderValue(name, value))) {
			problems.push(`The value of the header ${shown} is not valid HTTP header text (no line breaks).`);
		}
	}
	const bytes = Buffer.byteLength(JSON.stringify(Object.fromEntries(headers)), 'utf8');
	if (bytes > mostBytes) {
		problems.push(`The custom headers are ${bytes} bytes as JSON; at most ${mostBytes} are possible.`);
	}
	return problems;
}

/** True for an address of this machine. */
function isLoopback(hostname: string): boolean {
	return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Sandbox's own choice: plain HTTP works on this machine, so that a local n8n can be tried. */
export const loopbackNotice =
	'Plain HTTP is accepted here because the address is on this machine. The service itself delivers to HTTPS endpoints only.';

/** True when a delivery may go to this origin (D1 § Delivery rules, rule 5). */
export function isDeliverable({ protocol, hostname }: URL): boolean {
	return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/** What is wrong with the URL of a subscription, in one sentence; undefined when nothing is. */
export function endpointProblem(text: string): string | undefined {
	if (!URL.canParse(text)) return 'The URL is not a complete address such as https://example.com/webhook.';
	const url = new URL(text);
	if (!isDeliverable(url)) return 'The URL must begin with https:// (http:// only for this machine).';
	if (url.username || url.password)
		return 'The URL must not hold a user name or password: use a custom header.';
	return undefined;
}
