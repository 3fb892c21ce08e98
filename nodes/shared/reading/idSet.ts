const WORDS = 4;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Remembers IDs. A lower-case UUID takes 17 bytes in flat arrays instead of about a hundred as a string, so that an
 * export of any length stays small; any other text is kept as it is.
 */
export class IdSet {
	private capacity = 1024;
	private keys = new Uint32Array(this.capacity * WORDS);
	/** 1 for each slot that holds a key. */
	private taken = new Uint8Array(this.capacity);
	private uuids = 0;
	private readonly others = new Set<string>();

	/** Adds an ID, compared character by character, and says whether it is new. */
	add(id: string): boolean {
		if (UUID.test(id)) return this.addUuid(id);
		const before = this.others.size;
		return this.others.add(id).size > before;
	}

	private addUuid(id: string): boolean {
		const digits = id.replaceAll('-', '');
		const word = (at: number) => parseInt(digits.slice(at, at + 8), 16);
		const [a, b, c, d] = [word(0), word(8), word(16), word(24)];
		const slot = this.slotOf(a, b, c, d);
		if (this.taken[slot] === 1) return false;
		this.keys.set([a, b, c, d], slot * WORDS);
		this.taken[slot] = 1;
		if (++this.uuids > this.capacity * 0.7) this.grow();
		return true;
	}

	/** The slot with the key, or the free slot for it (linear probing). */
	private slotOf(a: number, b: number, c: number, d: number): number {
		const { keys, taken } = this;
		const mask = this.capacity - 1;
		const mixed =
			Math.imul(a ^ Math.imul(b, 0x85ebca6b), 0xc2b2ae35) ^ Math.imul(c ^ (d >>> 7) ^ d, 0x27d4eb2f);
		for (let slot = (mixed ^ (mixed >>> 15)) & mask; ; slot = (slot + 1) & mask) {
			if (taken[slot] === 0) return slot;
			const at = slot * WORDS;
			if (keys[at] === a && keys[at + 1] === b && keys[at + 2] === c && keys[at + 3] === d) return slot;
		}
	}

	private grow(): void {
		const { keys, taken } = this;
		this.capacity *= 2;
		this.keys = new Uint32Array(this.capacity * WORDS);
		this.taken = new Uint8Array(this.capacity);
		for (let old = 0; old < taken.length; old++) {
			if (taken[old] === 0) continue;
			const [a, b, c, d] = keys.subarray(old * WORDS, old * WORDS + WORDS);
			const slot = this.slotOf(a, b, c, d);
			this.keys.set([a, b, c, d], slot * WORDS);
			this.taken[slot] = 1;
		}
	}
}
