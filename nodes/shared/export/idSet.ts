/** What adding an ID tells: never seen, seen in an earlier pass only, or twice in this pass. */
export type Sighting = 'new' | 'again' | 'duplicate';

const WORDS = 4;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Remembers IDs and the pass in which each was last seen. A lower-case UUID takes 17 bytes in flat arrays instead of
 * about a hundred as a string, so that an export of any length stays small; any other text is kept as it is.
 */
export class IdSet {
	/** IDs seen in any pass. */
	size = 0;

	private capacity = 1024;

	private keys = new Uint32Array(this.capacity * WORDS);

	/** Pass of each slot; 0 marks a free one. */
	private passes = new Uint8Array(this.capacity);

	private uuids = 0;

	private readonly others = new Map<string, number>();

	/**
	 * @param id as the service wrote it; compared character by character
	 * @param pass from 1 to 255
	 */
	add(id: string, pass: number): Sighting {
		return UUID.test(id) ? this.addUuid(id, pass) : this.addText(id, pass);
	}

	private addText(id: string, pass: number): Sighting {
		const seen = this.others.get(id);
		this.others.set(id, pass);
		return this.judge(seen ?? 0, pass);
	}

	private addUuid(id: string, pass: number): Sighting {
		const a = parseInt(id.slice(0, 8), 16);
		const b = parseInt(id.slice(9, 13) + id.slice(14, 18), 16);
		const c = parseInt(id.slice(19, 23) + id.slice(24, 28), 16);
		const d = parseInt(id.slice(28), 16);
		const slot = this.slotOf(a, b, c, d);
		const seen = this.passes[slot];
		if (seen === 0) this.keys.set([a, b, c, d], slot * WORDS);
		this.passes[slot] = pass;
		if (seen === 0 && ++this.uuids > this.capacity * 0.7) this.grow();
		return this.judge(seen, pass);
	}

	private judge(seen: number, pass: number): Sighting {
		if (seen === pass) return 'duplicate';
		if (seen !== 0) return 'again';
		this.size++;
		return 'new';
	}

	/** The slot that holds the key, or the free one where it belongs (linear probing). */
	private slotOf(a: number, b: number, c: number, d: number): number {
		const { keys, passes } = this;
		const mask = this.capacity - 1;
		const mixed =
			Math.imul(a ^ Math.imul(b, 0x85ebca6b), 0xc2b2ae35) ^ Math.imul(c ^ (d >>> 7) ^ d, 0x27d4eb2f);
		for (let slot = (mixed ^ (mixed >>> 15)) & mask; ; slot = (slot + 1) & mask) {
			if (passes[slot] === 0) return slot;
			const at = slot * WORDS;
			if (keys[at] === a && keys[at + 1] === b && keys[at + 2] === c && keys[at + 3] === d) return slot;
		}
	}

	private grow(): void {
		const { keys, passes } = this;
		this.capacity *= 2;
		this.keys = new Uint32Array(this.capacity * WORDS);
		this.passes = new Uint8Array(this.capacity);
		for (let old = 0; old < passes.length; old++) {
			if (passes[old] === 0) continue;
			const [a, b, c, d] = keys.subarray(old * WORDS, old * WORDS + WORDS);
			const slot = this.slotOf(a, b, c, d);
			this.keys.set([a, b, c, d], slot * WORDS);
			this.passes[slot] = passes[old];
		}
	}
}
