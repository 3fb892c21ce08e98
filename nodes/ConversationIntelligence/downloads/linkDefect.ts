import { isPrivateHost } from '../../shared/http';

/**
 * Why a link that the service sent, or a redirect of it, must not be followed: it would make this n8n request an
 * internal page, or lose its encryption. A private host is allowed only if it is the Base URL's own, at its port.
 *
 * @param baseUrl of the credential, as `cleanBaseUrl` returns it
 * @returns the end of a sentence about the link, without its path and query; undefined for a link that can be followed
 */
export function linkDefect(baseUrl: string, link: string): string | undefined {
	if (!URL.canParse(link)) return 'is not an address';
	const [base, url] = [new URL(baseUrl), new URL(link)];
	if (url.protocol !== 'https:' && (url.protocol !== 'http:' || base.protocol !== 'http:')) {
		return `starts with ${url.protocol} instead of https:`;
	}
	if (url.username !== '' || url.password !== '') return 'contains a user name or password';
	const isInternal = isPrivateHost(url.hostname) && !hasPlaceOf(baseUrl, link);
	return isInternal ? `leads to the private address ${url.host}` : undefined;
}

/** Whether an address has the host and port of a base address. All names of this machine are one host. */
export function hasPlaceOf(baseUrl: string, url: string): boolean {
	const [place, own] = [url, baseUrl].map((address) => {
		const { hostname, port, protocol } = new URL(address);
		return `${isLoopback(hostname) ? 'localhost' : hostname}:${port || protocol}`;
	});
	return place === own;
}

function isLoopback(hostname: string): boolean {
	return /(^|\.)localhost\.?$|^127\.[\d.]+$|^\[::1\]$/.test(hostname);
}
