const sampleRate = 8000;
const seconds = 3;

/** A mono 16-bit WAV file with a soft tone. */
export function wav(pitch: number): Buffer {
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
