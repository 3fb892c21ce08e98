import { hash } from './random';

interface Step {
	step: number;
	back: number;
}

/**
 * Which recorder made row i. Each block of N consecutive rows holds each of the N recorders exactly
 * once, in an order that differs from block to block; so rows of some recorders are counted and found
 * without looking at every row.
 */
export class Rotation {
	private readonly steps: Step[] = [];

	constructor(
		private readonly seed: number,
		readonly size: number,
	) {
		for (let step = 1; step <= size && this.steps.length < 64; step++) {
			const back = inverse(step, size);
			if (back !== undefined) this.steps.push({ step, back });
		}
	}

	/** Recorder number (0 to N − 1) of row `index`. */
	recorderOf(index: number): number {
		const block = Math.floor(index / this.size);
		const random = hash(this.seed, 17, block);
		const { step } = this.steps[random % this.steps.length];
		return ((index - block * this.size) * step + (random >>> 8)) % this.size;
	}

	/** How many rows before `index` are by one of these recorders. */
	countBefore(index: number, recorders: readonly number[]): number {
		if (recorders.length === this.size) return index;
		const block = Math.floor(index / this.size);
		const rest = index - block * this.size;
		const inBlock = recorders.filter((recorder) => this.position(recorder, block) < rest).length;
		return block * recorders.length + inBlock;
	}

	/** The row that is number `ordinal` (from 0) among all rows by these recorders. */
	rowAt(ordinal: number, recorders: readonly number[]): number {
		if (recorders.length === this.size) return ordinal;
		const block = Math.floor(ordinal / recorders.length);
		const positions = recorders.map((recorder) => this.position(recorder, block)).sort((a, b) => a - b);
		return block * this.size + positions[ordinal - block * recorders.length];
	}

	private position(recorder: number, block: number): number {
		const random = hash(this.seed, 17, block);
		const { back } = this.steps[random % this.steps.length];
		const shift = (random >>> 8) % this.size;
		return ((recorder - shift + this.size) * back) % this.size;
	}
}

/** The multiplicative inverse of `value` modulo `size`, when there is one. */
function inverse(value: number, size: number): number | undefined {
	if (size === 1) return 0;
	let [oldRest, rest, oldFactor, factor] = [value, size, 1, 0];
	while (rest !== 0) {
		const quotient = Math.floor(oldRest / rest);
		[oldRest, rest] = [rest, oldRest - quotient * rest];
		[oldFactor, factor] = [factor, oldFactor - quotient * factor];
	}
	return oldRest === 1 ? ((oldFactor % size) + size) % size : undefined;
}
