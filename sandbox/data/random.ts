/** 32-bit mixer (the finalizer of MurmurHash3). */
function mix(value: number): number {
	let hash = value | 0;
	hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
	hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
	return (hash ^ (hash >>> 16)) >>> 0;
}

/** Hashes numbers into one 32-bit number. */
export function hash(...parts: number[]): number {
	let result = 0x9e3779b9;
	for (const part of parts) result = mix(result ^ mix((part + 0x7f4a7c15) | 0));
	return result;
}

/** Seeded random numbers (mulberry32). Each row has its own, so rows do not depend on each other. */
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

	/** A whole number between two inclusive bounds. */
	whole(min: number, max: number): number {
		return min + Math.floor(this.next() * (max - min + 1));
	}

	/** True with the given probability. */
	chance(probability: number): boolean {
		return this.next() < probability;
	}

	pick<Item>(items: readonly Item[]): Item {
		return items[Math.floor(this.next() * items.length)];
	}
}

const idKinds = {
	conversations: 1,
	recording: 2,
	awaitingUpload: 3,
	errored: 4,
	user: 5,
	team: 6,
	organization: 7,
	tracker: 8,
	survey: 9,
} as const;
export type IdKind = keyof typeof idKinds;

const hex = (value: number) => value.toString(16).padStart(8, '0');

/** A UUID, the same for the same parts. */
export function idOf(seed: number, kind: IdKind, index: number): string {
	const first = hash(seed, idKinds[kind], index);
	const [b, c] = [hex(mix(first)), hex(mix(first + 1))];
	return `${hex(first)}-${b.slice(0, 4)}-4${b.slice(5)}-a${c.slice(1, 4)}-${c.slice(4)}${hex(index)}`;
}
