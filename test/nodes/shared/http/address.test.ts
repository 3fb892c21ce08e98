import fc from 'fast-check';
import { isPrivateHost } from '../../../../nodes/shared/http/address';

describe('isPrivateHost', () => {
	const hostOf = (host: string) => new URL(`https://${host}/`).hostname;

	test.each([
		[
			'loopback',
			`127.0.0.1 127.1 2130706433 0x7f000001 0x7f.1 0177.0.0.1 127.0.0.1. 127.255.255.254 %31%32%37.0.0.1
			１２７.0.0.1 [::1] [0:0:0:0:0:0:0:1] localhost LOCALHOST localhost. a.localhost locaⅬhost`,
		],
		[
			'private, shared or unspecified',
			`10.0.0.1 10.255.255.255 012.1 172.16.0.1 172.31.255.255 192.168.1.1 100.64.0.1 100.127.255.255
			[fc00::1] [fdff::1] 0.0.0.0 0 0x0 [::]`,
		],
		['link-local', '169.254.169.254 0xa9fea9fe 2852039166 [fe80::1] [febf::1]'],
		['multicast or reserved', '224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 [ff02::1] [100::1]'],
		['documentation', '192.0.2.1 198.51.100.1 203.0.113.1 [2001:db8::1] [3fff::1]'],
		['assigned otherwise', '192.0.0.1 198.18.0.1 198.19.255.255 [2001::1] [64:ff9b:1::1]'],
		['a private name', 'sandbox a.local metadata.google.internal nas.lan. a.home.arpa x.test'],
	])('is true for %s: %s', (_kind, hosts) => {
		expect(hosts.split(/\s+/).filter((host) => !isPrivateHost(hostOf(host)))).toEqual([]);
	});

	test('is false for the public ones, also next to a private network', () => {
		const hosts = `9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255
			169.255.0.0 172.15.255.255 172.32.0.0 192.167.255.255 192.169.0.0 1.0.0.0 198.17.255.255 198.20.0.0
			223.255.255.255 134744072 8.8.8.8 [3ffe::1] [2606:4700::1111] [::ffff:192.0.1.1] [64:ff9b::8.8.8.8]
			[2002:808:808::] 8.8.8.8.example.com local.example.com notlocal.example mylan.xlan a.b.c.d1`;
		expect(hosts.split(/\s+/).filter((host) => isPrivateHost(hostOf(host)))).toEqual([]);
	});

	test('says the same of an IPv4 address in every notation, mapped and translated ones included', () => {
		fc.assert(
			fc.property(fc.nat(0xffff_ffff), (address) => {
				const bytes = [24, 16, 8, 0].map((shift) => (address >>> shift) & 255);
				const dotted = bytes.join('.');
				const octal = bytes.map((byte) => `0${byte.toString(8)}`).join('.');
				const groups = [24, 8].map((shift) => ((address >>> (shift - 8)) & 0xffff).toString(16)).join(':');
				const notations = [`${address}`, `0x${address.toString(16)}`, octal, `${dotted}.`];
				const embedded = [`[::ffff:${dotted}]`, `[64:ff9b::${groups}]`, `[2002:${groups}::]`];
				for (const host of [...notations, ...embedded]) {
					expect([host, isPrivateHost(hostOf(host))]).toEqual([host, isPrivateHost(dotted)]);
				}
			}),
		);
	});

	test('calls no IPv6 address public outside 2000::/3 that stands for no IPv4 address', () => {
		fc.assert(
			fc.property(fc.ipV6(), (address) => {
				fc.pre(!/[.]|ff9b/.test(address));
				const { hostname } = new URL(`https://[${address}]/`);
				if (!isPrivateHost(hostname)) expect(hostname).toMatch(/^\[([23][\da-f]{3}|::ffff):/);
			}),
		);
	});
});
