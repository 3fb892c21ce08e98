import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createProxy, type Server } from 'node:http';
import { createServer as createRegistry } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const HOST = 'registry.npmjs.org';

/**
 * Stands in for npm's registry, with this package alone. n8n needs a license for a registry of another name, so
 * this one has the real name: n8n reaches it through a proxy, and trusts its certificate ({@link environment}).
 */
export class NpmRegistry {
	private readonly folder = mkdtempSync(join(tmpdir(), 'registry-'));
	private readonly tarballs = new Map<string, { manifest: { name: string }; bytes: Buffer }>();
	private readonly registry: Server;
	private readonly proxy = createProxy();

	private constructor() {
		const [key, cert] = ['key.pem', 'cert.pem'].map((file) => join(this.folder, file));
		const subject = ['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST}`];
		const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject];
		execFileSync('openssl', [...request, '-keyout', key, '-out', cert], { stdio: 'ignore' });
		const tls = { key: readFileSync(key), cert: readFileSync(cert) };
		this.registry = createRegistry(tls, (request, response) => {
			const content = this.read(decodeURIComponent(request.url ?? ''));
			response.statusCode = content ? 200 : 404;
			response.end(Buffer.isBuffer(content) ? content : JSON.stringify(content ?? {}));
		});
		this.proxy.on('connect', ({ url }, client) => {
			if (url !== `${HOST}:443`) return client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
			const server = connect(portOf(this.registry), '127.0.0.1', () => {
				client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
				server.pipe(client).pipe(server);
			});
			server.on('error', () => client.destroy());
			client.on('error', () => server.destroy());
		});
	}

	static async start(): Promise<NpmRegistry> {
		const registry = new NpmRegistry();
		for (const server of [registry.registry, registry.proxy]) {
			await once(server.listen(0, '127.0.0.1'), 'listening');
		}
		return registry;
	}

	/** Publishes a packed package under another version, changed if wanted. */
	publish(tarball: string, version: string, change: (folder: string) => void = () => {}): void {
		const folder = join(this.folder, version);
		mkdirSync(folder);
		execFileSync('tar', ['-xzf', tarball, '-C', folder]);
		const file = join(folder, 'package', 'package.json');
		const manifest = { ...JSON.parse(readFileSync(file, 'utf8')), version };
		writeFileSync(file, JSON.stringify(manifest));
		change(join(folder, 'package'));
		const bytes = execFileSync('tar', ['-cz', '-C', folder, 'package'], { maxBuffer: 64 * 1024 * 1024 });
		this.tarballs.set(version, { manifest, bytes });
	}

	/** What an n8n and its npm need to reach this registry, and no other host. */
	environment(): Record<string, string> {
		const proxy = `http://127.0.0.1:${portOf(this.proxy)}`;
		return {
			HTTPS_PROXY: proxy,
			NO_PROXY: '127.0.0.1,localhost',
			NODE_EXTRA_CA_CERTS: join(this.folder, 'cert.pem'),
			// Not the registry, proxy and cache of whoever runs the tests.
			npm_config_registry: `https://${HOST}/`,
			npm_config_https_proxy: proxy,
			npm_config_userconfig: join(this.folder, 'npmrc'),
			npm_config_cache: join(this.folder, 'cache'),
		};
	}

	async stop(): Promise<void> {
		for (const server of [this.registry, this.proxy]) {
			server.close();
			server.closeAllConnections();
		}
		rmSync(this.folder, { recursive: true, force: true });
	}

	/** The packument of `/name`, the manifest of `/name/version`, or the bytes of `/name/-/version.tgz`. */
	private read(path: string): unknown {
		const versions = Object.fromEntries(
			[...this.tarballs].map(([version, { manifest, bytes }]) => {
				const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
				const tarball = `https://${HOST}/${manifest.name}/-/${version}.tgz`;
				return [version, { ...manifest, dist: { integrity, tarball } }];
			}),
		);
		const latest = [...this.tarballs.keys()].at(-1) ?? '';
		const [, name, version, file] = path.split('/');
		if (name !== versions[latest]?.name) return undefined;
		if (!version) return { name, 'dist-tags': { latest }, versions };
		if (file) return this.tarballs.get(file.replace(/\.tgz$/, ''))?.bytes;
		return versions[version === 'latest' ? latest : version];
	}
}

function portOf(server: Server): number {
	return (server.address() as AddressInfo).port;
}
