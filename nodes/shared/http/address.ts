/** IPv4 networks that are not part of the public internet (RFC 6890), 224.0.0.0/3 with multicast and reserved ones. */
const PRIVATE_IPV4 = [
	'0.0.0.0/8',
	'10.0.0.0/8',
	'100.64.0.0/10',
	'127.0.0.0/8',
	'169.254.0.0/16',
	'172.16.0.0/12',
	'192.0.0.0/24',
	'192.0.2.0/24',
	'192.168.0.0/16',
	'198.18.0.0/15',
	'198.51.100.0/24',
	'203.0.113.0/24',
	'224.0.0.0/3',
];

/** Names of private networks, besides those without a dot, e.g. of containers (RFC 6761, RFC 6762, RFC 8375). */
const PRIVATE_SUFFIXES = ['.localhost', '.local', '.internal', '.lan', '.home.arpa', '.test'];

/**
 * Whether a host is outside the public internet by its name or address. What a public name resolves to is not known.
 *
 * @param hostname as `URL` returns it, which turns every notation of an address into the usual one
 */
export function isPrivateHost(hostname: string): boolean {
	if (hostname.startsWith('[')) return isPrivateIpv6(groupsOf(hostname.slice(1, -1)));
	const labels = labelsOf(hostname);
	if (isIpv4(labels)) return isPrivateIpv4(numberOf(labels, 256));
	const name = labels.join('.');
	return labels.length < 2 || PRIVATE_SUFFIXES.some((suffix) => name.endsWith(suffix));
}

/** Whether an address has the origin of a base address, and its path or one below it, without a user name. */
export function isBelow(baseUrl: string, url: URL): boolean {
	const { origin, pathname } = new URL(baseUrl);
	const hasOrigin = url.origin === origin && url.username === '' && url.password === '';
	return hasOrigin && `${url.pathname}/`.startsWith(pathname.endsWith('/') ? pathname : `${pathname}/`);
}

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
	return isPrivateHost(url.hostname) && !hasPlaceOf(baseUrl, link)
		? `leads to the private address ${url.host}`
		: undefined;
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
	const labels = labelsOf(hostname);
	return labels.at(-1) === 'localhost' || hostname === '[::1]' || (isIpv4(labels) && labels[0] === '127');
}

/** A name may end with a dot. */
function labelsOf(hostname: string): string[] {
	return hostname.split('.').filter((label) => label !== '');
}

/** `URL` accepts a name whose last label is a number only as an address, and writes it with four numbers. */
function isIpv4(labels: string[]): boolean {
	return labels.length === 4 && labels.every((label) => /^\d+$/.test(label));
}

function isPrivateIpv4(address: number): boolean {
	return PRIVATE_IPV4.some((range) => {
		const [network, bits] = range.split('/');
		const size = 2 ** (32 - Number(bits));
		return Math.floor(address / size) === Math.floor(numberOf(network.split('.'), 256) / size);
	});
}

/** Public are the global addresses, and those that stand for a public IPv4 address. */
function isPrivateIpv6(groups: number[]): boolean {
	const [first, second] = groups;
	const ipv4 = embeddedIpv4(groups);
	if (ipv4 !== undefined) return isPrivateIpv4(numberOf(ipv4, 65_536));
	const isGlobal = first >= 0x2000 && first <= 0x3fff;
	// Protocol assignments such as Teredo, and documentation.
	const isReserved = first === 0x2001 && (second < 0x200 || second === 0xdb8);
	return !isGlobal || isReserved || first === 0x3fff;
}

/** The IPv4 address in a mapped, NAT64 or 6to4 address, as two groups. */
function embeddedIpv4(groups: number[]): number[] | undefined {
	const start = groups.slice(0, 6).join();
	if (start === '0,0,0,0,0,65535' || start === `${0x64},${0xff9b},0,0,0,0`) return groups.slice(6);
	return groups[0] === 0x2002 ? groups.slice(1, 3) : undefined;
}

/** The eight groups of an IPv6 address, as `URL` writes it: compressed, never with dots. */
function groupsOf(address: string): number[] {
	const [head, tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
	const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
	return [...head, ...zeros, ...tail].map((group) => parseInt(group, 16));
}

function numberOf(digits: Array<string | number>, base: number): number {
	return digits.reduce<number>((number, digit) => number * base + Number(digit), 0);
}
