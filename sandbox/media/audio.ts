import { Readable } from 'node:stream';

const sampleRate = 8000;
const headerBytes = 44;
const chunkSamples = 8192;

/** Size of a mono 16-bit WAV file in bytes. */
export function wavBytes(seconds: number): number {
	return headerBytes + Math.floor(seconds * sampleRate) * 2;
}

/** A WAV file with a soft tone, generated while it is read, so that an hour needs no memory. */
export function wavStream(seconds: number, pitch: number): Readable {
	return Readable.from(chunks(Math.floor(seconds * sampleRate), pitch), { objectMode: false });
}

function* chunks(samples: number, pitch: number): Generator<Buffer> {
	const head = Buffer.from('RIFF....WAVEfmt ....................data....', 'latin1');
	head.writeUInt32LE(36 + samples * 2, 4);
	// Mono PCM: format size, format 1, one channel, rate, bytes per second, bytes per sample, bits per sample.
	Buffer.from(Uint32Array.of(16, 0x0001_0001, sampleRate, sampleRate * 2, 0x0010_0002).buffer).copy(head, 16);
	head.writeUInt32LE(samples * 2, 40);
	yield head;
	for (let start = 0; start < samples; start += chunkSamples) {
		const chunk = Buffer.allocUnsafe(Math.min(chunkSamples, samples - start) * 2);
		for (let byte = 0; byte < chunk.length; byte += 2) {
			const angle = ((start + byte / 2) * 2 * Math.PI * pitch) / sampleRate;
			chunk.writeInt16LE(Math.round(Math.sin(angle) * 6000), byte);
		}
		yield chunk;
	}
}
