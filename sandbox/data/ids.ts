import { hash, mix, unmix } from './random';

/** What an ID stands for. The number is part of the ID. */
export const idKinds = {
	conversation: 1,
	recording: 2,
	awaitingRecording: 3,
	erroredRecording: 4,
	user: 5,
	team: 6,
	organization: 7,
	tracker: 8,
	survey: 9,
} as const;

export type IdKind = keyof typeof idKinds;

const hex = (value: number) => value.toString(16).padStart(8, '0');

/**
 * The UUID of row `index` (0 to 2^32 − 1). Reversible with `indexOfId`, so no table of IDs is kept.
 */
export function idOf(seed: number, kind: IdKind, index: number): string {
	const salt = hash(seed, idKinds[kind]);
	const first = mix(index ^ salt);
	const second = mix(first ^ salt);
	const third = mix(second ^ 0x51ed270b);
	const b = hex(second);
	const c = hex(third);
	const variant = '89ab'[third & 3];
	return `${hex(first)}-${b.slice(0, 4)}-4${b.slice(5)}-${variant}${c.slice(1, 4)}-${c.slice(4)}${hex(mix(third))}`;
}

/** The row index of an ID of this kind and seed, or undefined when it is none. */
export function indexOfId(seed: number, kind: IdKind, id: string): number | undefined {
	const first = Number.parseInt(id.slice(0, 8), 16);
	if (Number.isNaN(first)) return undefined;
	const index = (unmix(first) ^ hash(seed, idKinds[kind])) >>> 0;
	return idOf(seed, kind, index) === id ? index : undefined;
}
