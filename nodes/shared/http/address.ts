/** `URL` accepts a name whose last label is a number only as an address, and writes it with four numbers. */
const IPV4 = /\.\d+$/;

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
].map(prefixOf);

/** Global addresses, and what among them is for protocols such as Teredo and for documentation. */
const GLOBAL_IPV6 = prefixOf('2000::/3');
const RESERVED_IPV6 = ['2001::/23', '2001:db8::/32', '3fff::/16'].map(prefixOf);

/** Prefixes of mapped, NAT64 and 6to4 addresses. The IPv4 address follows the prefix. */
const EMBEDDING = ['::ffff:0:0/96', '64:ff9b::/96', '2002::/16'].map(prefixOf);

/** Names of private networks, besides those without a dot, e.g. of containers (RFC 6761, RFC 6762, RFC 8375). */
const PRIVATE_NAME = /\.(localhost|local|internal|lan|home\.arpa|test)$/;

/**
 * Whether a host is outside the public internet by its name or address. What a public name resolves to is not known.
 * @param hostname as `URL` returns it, which turns every notation of an address into the usual one
 */
export function isPrivateHost(hostname: string): boolean {
	if (hostname.startsWith('[')) return isPrivateAddress(bitsOf(hostname.slice(1, -1)));
	// A name may end with a dot.
	const name = hostname.replace(/\.$/, '');
	if (IPV4.test(name)) return isPrivateAddress(bitsOf(name));
	return !name.includes('.') || PRIVATE_NAME.test(name);
}

function isPrivateAddress(bits: string): boolean {
	const isWithin = (prefix: string) => bits.startsWith(prefix);
	if (bits.length === 32) return PRIVATE_IPV4.some(isWithin);
	const embedding = EMBEDDING.find(isWithin);
	if (embedding) return isPrivateAddress(bits.slice(embedding.length, embedding.length + 32));
	return !isWithin(GLOBAL_IPV6) || RESERVED_IPV6.some(isWithin);
}

/** The binary digits that all addresses of a network begin with. */
function prefixOf(range: string): string {
	const [network, length] = range.split('/');
	return bitsOf(network).slice(0, Number(length));
}

/** An address in binary digits; one of IPv6 as `URL` writes it: compressed, never with dots. */
function bitsOf(address: string): string {
	if (IPV4.test(address)) return binary(address.split('.'), 10, 8);
	const [head, tail] = address.split('::').map((part) => binary(part.split(':'), 16, 16));
	return tail ? head + tail.padStart(128 - head.length, '0') : head;
}

/** An empty number, as at the end of `2002:808::`, is zero. */
function binary(numbers: string[], radix: number, width: number): string {
	return numbers.map((number) => parseInt(`0${number}`, radix).toString(2).padStart(width, '0')).join('');
}
