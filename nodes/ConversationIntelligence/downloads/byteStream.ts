import { sleep, type BinaryHelperFunctions } from 'n8n-workflow';

export type Readable = Exclude<Parameters<BinaryHelperFunctions['prepareBinaryData']>[0], Buffer>;

/** All stores but the file store fail when a stream is silent for five minutes, or as long as n8n is configured. */
const HEARTBEAT_MS = 20_000;

type Listener = (value?: unknown) => void;

/** Bytes made while they are read: n8n's file store iterates over them, the others listen. Node's own streams cannot be imported. */
class ByteStream {
	private readonly listeners = new Set<{ event: string; listener: Listener }>();
	private isFlowing = false;
	private isDestroyed = false;

	constructor(private readonly source: AsyncIterable<Uint8Array>) {}

	[Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
		return this.source[Symbol.asyncIterator]();
	}

	on(event: string, listener: Listener): this {
		this.listeners.add({ event, listener });
		if (event === 'data' && !this.isFlowing) {
			this.isFlowing = true;
			void this.flow();
		}
		return this;
	}

	once(event: string, listener: Listener): this {
		const first: Listener = (value) => {
			this.off(event, first);
			listener(value);
		};
		return this.on(event, first);
	}

	off(event: string, listener: Listener): this {
		for (const one of this.listeners) {
			if (one.event === event && one.listener === listener) this.listeners.delete(one);
		}
		return this;
	}

	destroy(): this {
		this.isDestroyed = true;
		return this;
	}

	private emit(event: string, value?: unknown): void {
		for (const one of this.listeners) if (one.event === event) one.listener(value);
	}

	private async flow(): Promise<void> {
		void this.beat();
		try {
			// The first chunk comes in a later turn, when the store has added all its listeners.
			for await (const chunk of this.source) {
				if (this.isDestroyed) break;
				this.emit('data', chunk);
			}
			if (!this.isDestroyed) this.emit('end');
		} catch (error) {
			this.emit('error', error);
		}
		this.isDestroyed = true;
		this.emit('close');
	}

	/** Shows a store that the source is alive while it has nothing to send. */
	private async beat(): Promise<void> {
		for (await sleep(HEARTBEAT_MS); !this.isDestroyed; await sleep(HEARTBEAT_MS))
			this.emit('data', new Uint8Array(0));
	}
}

/** A stream for n8n's binary storage, read once and as fast as n8n stores it; errors of the source reach the store. */
export function toReadable(source: AsyncIterable<Uint8Array>): Readable {
	const stream: object = new ByteStream(source);
	return stream as Readable;
}
