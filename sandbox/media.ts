import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Organization } from './data/organization';
import { randomOf, type Row, talkOf } from './data/rows';
import { speech } from './data/words';
import { pathOf } from './http';
import { messageOf, Problem, statusOf } from './problem';
import { round } from './statistics';

/** D1 § Limits: six hours. */
const lifetimeMs = 6 * 3_600_000;

/** Where the service's links lead. Temporary ones are signed (D1: six hours or less): their query must come back byte for byte. */
export class Links {
	/** The service's own address, once it listens. */
	origin = '';

	constructor(private readonly seed: number) {}

	get appUrl(): string {
		return `${this.origin}/app`;
	}

	/** Signs a path of the object store, for example `/audio/<id>.wav`. */
	link(path: string, expires = Date.now() + lifetimeMs): string {
		return `${this.origin}${path}?${this.query(path, expires)}`;
	}

	/** Checks a path and query, which must be exactly as received. */
	check(url: string): 'valid' | 'expired' | 'forged' {
		const [path, query = ''] = url.split(/\?(.*)/s, 2);
		const expires = Number(/^expires=(\d+)&/.exec(query)?.[1]);
		if (query !== this.query(path, expires)) return 'forged';
		return Date.now() > expires ? 'expired' : 'valid';
	}

	/**
	 * Sandbox's own choice: the parameter names, milliseconds, and a scope with %2F and %2B. A client that
	 * decodes or re-encodes the query fails, as it would with a real object store.
	 */
	private query(path: string, expires: number): string {
		const toSign = `expires=${Math.floor(expires)}&scope=media%2Bread%2F${Math.floor(expires / 86_400_000)}`;
		// A page has a hundred links, and createHmac would take a fifth of its time.
		const signature = hash('sha256', `media-${this.seed}\n${path}?${toSign}`, 'base64');
		return `${toSign}&signature=${signature.replace(/\+/g, '%2B').replace(/\//g, '%2F')}`;
	}
}

const noHead = { exposeHeadRoute: false };

/**
 * The object store behind `transcriptUrl` and `audioUrl`: no credentials. Sandbox's own choice: the service's origin,
 * because the nodes open links to this machine only there; the bodies, and 400 for a credential, because object
 * stores refuse two kinds of authorization.
 */
export function mediaRoutes(links: Links, organizations: readonly Organization[]) {
	return async (server: FastifyInstance): Promise<void> => {
		server.addHook('preHandler', async (request) => {
			const { authorization, 'x-api-key': xApiKey } = request.headers;
			if (authorization !== undefined || xApiKey !== undefined)
				throw new Problem('Only one authentication mechanism is allowed', 400);
			const verdict = links.check(request.originalUrl);
			if (verdict === 'expired') throw new Problem('Request has expired', 403);
			if (verdict === 'forged') throw new Problem('Signature does not match', 403);
		});
		server.setErrorHandler(async (error, _request, reply) =>
			reply.code(statusOf(error)).type('text/plain').send(messageOf(error)),
		);

		const find = (request: FastifyRequest) => {
			const id = pathOf(request).replace(/^.*\/|\.[a-z]+$/g, '');
			for (const organization of organizations) {
				const row = organization.findConversation(id);
				if (row) return { seed: organization.seed, row };
			}
			throw new Problem('No such object', 404);
		};
		server.get('/transcripts/:file', noHead, async (request, reply) => {
			const { seed, row } = find(request);
			return reply.type('application/json').send(transcriptOf(seed, row));
		});
		server.get('/audio/:file', noHead, async (request, reply) => {
			const { seed, row } = find(request);
			return reply.type('audio/wav').send(wav(200 + (talkOf(seed, row).duration % 400)));
		});
	};
}

const maxWords = 600;

/**
 * The transcript of a conversation: words with speaker and timing (D1-DATA-04).
 * Sandbox's own choice: a flat array, the field names, and seconds from the start of the recording.
 */
function transcriptOf(seed: number, row: Row) {
	const random = randomOf(seed, row, 5);
	const { duration } = talkOf(seed, row);
	const speakers = [row.user.name ?? 'Rep', 'Customer'];
	const words: Array<{ speaker: string; word: string; start: number; end: number }> = [];
	let [time, turn, left] = [random.next(), 0, random.whole(4, 24)];
	for (const text of row.said ?? []) {
		for (const word of text.split(' ')) {
			words.push({ speaker: speakers[turn % 2], word, start: words.length, end: words.length + 1 });
		}
		turn++;
	}
	while (!row.said && time < duration - 1 && words.length < maxWords) {
		const end = time + 0.15 + random.next() * 0.4;
		const word = random.pick(speech);
		words.push({ speaker: speakers[turn % 2], word, start: round(time, 2), end: round(end, 2) });
		time = end + 0.05;
		if (--left === 0) [turn, left] = [turn + 1, random.whole(4, 24)];
	}
	return words;
}

const sampleRate = 8000;
const seconds = 3;

/** A mono 16-bit WAV file with a soft tone. */
function wav(pitch: number): Buffer {
	const samples = Int16Array.from({ length: seconds * sampleRate }, (_, at) =>
		Math.round(Math.sin((at * 2 * Math.PI * pitch) / sampleRate) * 6000),
	);
	const head = Buffer.from('RIFF....WAVEfmt ....................data....', 'latin1');
	head.writeUInt32LE(36 + samples.byteLength, 4);
	// Mono PCM: format size, format 1, one channel, rate, bytes per second, bytes per sample, bits per sample.
	Buffer.from(Uint32Array.of(16, 0x0001_0001, sampleRate, sampleRate * 2, 0x0010_0002).buffer).copy(head, 16);
	head.writeUInt32LE(samples.byteLength, 40);
	return Buffer.concat([head, Buffer.from(samples.buffer)]);
}
