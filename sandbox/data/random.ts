/** Bijective 32-bit mixer (the finalizer of MurmurHash3). */
export function mix(value: number): number {
	let hash = value | 0;
	hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
	hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
	return (hash ^ (hash >>> 16)) >>> 0;
}

/** Undoes `mix`. */
export function unmix(value: number): number {
	let hash = value | 0;
	hash = Math.imul(hash ^ (hash >>> 16), 0x7ed1b41d);
	hash = Math.imul(hash ^ (hash >>> 13) ^ (hash >>> 26), 0xa5cb9243);
	return (hash ^ (hash >>> 16)) >>> 0;
}

/** One 32-bit number out of several. */
export function hash(...parts: number[]): number {
	let result = 0x9e3779b9;
	for (const part of parts) result = mix(result ^ mix((part + 0x7f4a7c15) | 0));
	return result;
}

/** A fraction in [0, 1) out of several numbers. */
export function fraction(...parts: number[]): number {
	return hash(...parts) / 0x1_0000_0000;
}

/** Small, fast, seeded random source (mulberry32); one per row, so that a row depends on nothing else. */
export class Random {
	private state: number;

	constructor(...seed: number[]) {
		this.state = hash(...seed);
	}

	/** A fraction in [0, 1). */
	next(): number {
		this.state = (this.state + 0x6d2b79f5) | 0;
		let value = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
		value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
		return ((value ^ (value >>> 14)) >>> 0) / 0x1_0000_0000;
	}

	/** A whole number, both ends included. */
	whole(least: number, most: number): number {
		return least + Math.floor(this.next() * (most - least + 1));
	}

	/** True with the given probability. */
	chance(probability: number): boolean {
		return this.next() < probability;
	}

	pick<Item>(items: readonly Item[]): Item {
		return items[Math.floor(this.next() * items.length)];
	}
}
