import { Readable } from 'node:stream';

const sampleRate = 8000;
const headerBytes = 44;
const chunkSamples = 8192;

/** Bytes of a mono 16-bit WAV file of so many seconds. */
export function wavBytes(seconds: number): number {
	return headerBytes + Math.floor(seconds * sampleRate) * 2;
}

/** A valid WAV file with a soft tone, made while it is read, so that an hour needs no memory. */
export function wavStream(seconds: number, pitch: number): Readable {
	return Readable.from(chunks(Math.floor(seconds * sampleRate), pitch), { objectMode: false });
}

function* chunks(samples: number, pitch: number): Generator<Buffer> {
	yield header(samples * 2);
	for (let start = 0; start < samples; start += chunkSamples) {
		const length = Math.min(chunkSamples, samples - start);
		const chunk = Buffer.allocUnsafe(length * 2);
		for (let index = 0; index < length; index++) {
			const angle = ((start + index) * 2 * Math.PI * pitch) / sampleRate;
			chunk.writeInt16LE(Math.round(Math.sin(angle) * 6000), index * 2);
		}
		yield chunk;
	}
}

function header(dataBytes: number): Buffer {
	const head = Buffer.alloc(headerBytes);
	head.write('RIFF', 0);
	head.writeUInt32LE(36 + dataBytes, 4);
	head.write('WAVEfmt ', 8);
	head.writeUInt32LE(16, 16);
	head.writeUInt16LE(1, 20);
	head.writeUInt16LE(1, 22);
	head.writeUInt32LE(sampleRate, 24);
	head.writeUInt32LE(sampleRate * 2, 28);
	head.writeUInt16LE(2, 32);
	head.writeUInt16LE(16, 34);
	head.write('data', 36);
	head.writeUInt32LE(dataBytes, 40);
	return head;
}
