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
