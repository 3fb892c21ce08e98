import type { BinaryHelperFunctions } from 'n8n-workflow';

/** Input types of n8n's binary storage besides a Buffer. */
export type Readable = Exclude<Parameters<BinaryHelperFunctions['prepareBinaryData']>[0], Buffer>;

type Listener = (value?: unknown) => void;

/**
 * Bytes that are made while they are read, in the two forms that n8n's binary stores can read: the file
 * store iterates over it and pauses the source while it writes; the others listen to its events. A community node
 * cannot import Node's own stream module.
 */
class ByteStream {
	private readonly listeners = new Map<string, Set<Listener>>();
	private flowing = false;
	private destroyed = false;

	constructor(private readonly source: AsyncIterable<Uint8Array>) {}

	[Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
		this.flowing = true;
		return this.source[Symbol.asyncIterator]();
	}

	on(event: string, listener: Listener): this {
		const listeners = this.listeners.get(event) ?? new Set();
		this.listeners.set(event, listeners.add(listener));
		if (event === 'data' && !this.flowing) {
			this.flowing = true;
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
		this.listeners.get(event)?.delete(listener);
		return this;
	}

	destroy(): this {
		this.destroyed = true;
		return this;
	}

	private emit(event: string, value?: unknown): void {
		for (const listener of [...(this.listeners.get(event) ?? [])]) listener(value);
	}

	private async flow(): Promise<void> {
		// The other listeners are added in the same turn as the first one.
		await Promise.resolve();
		try {
			for await (const chunk of this.source) {
				if (this.destroyed) break;
				this.emit('data', chunk);
			}
			if (!this.destroyed) this.emit('end');
		} catch (error) {
			this.emit('error', error);
		}
		this.emit('close');
	}
}

/** True for everything that can be read in both forms; n8n uses no other form. */
function isReadable(stream: object): stream is Readable {
	return Symbol.asyncIterator in stream && 'on' in stream && 'off' in stream;
}

/**
 * A stream for n8n's binary storage. The source is read once, as fast as n8n stores it.
 *
 * @returns the stream; errors of the source reach the store
 */
export function toReadable(source: AsyncIterable<Uint8Array>): Readable {
	const stream: object = new ByteStream(source);
	if (!isReadable(stream)) throw new TypeError('A byte stream can be iterated over and listened to.');
	return stream;
}
