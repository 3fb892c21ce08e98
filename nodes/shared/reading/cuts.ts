import type { Slice } from '../exportApi/client';

/** How full a slice is cut, as a share of a page, with room for rows that arrive before it is read. */
const FILL = 0.8;

/** Maximum pieces of equal length that a slice is cut into at once; each is cut again if necessary. */
const MAX_PIECES = 1000;

/** From which end a range is read: distances count from there, in milliseconds. */
export type Direction = 'newestFirst' | 'oldestFirst';

/** Rows that a slice is cut for. */
export function rowsWanted(pageSize: number): number {
	return Math.max(1, Math.floor(pageSize * FILL));
}

export function distanceOf(slice: Slice, date: number, direction: Direction): number {
	return direction === 'newestFirst' ? slice.to - date : date - slice.from;
}

/** Cuts a slice at these distances, or where it can be cut, if none of them is inside. The nearest piece is the first one. */
export function cutAt({ from, to }: Slice, distances: number[], direction: Direction): Slice[] {
	const length = to - from;
	const inside = (bounds: number[]) => bounds.map(Math.round).filter((bound) => bound > 0 && bound < length);
	const bounds = inside(distances).length > 0 ? inside(distances) : inside([1, length / 2, length - 1]);
	const all = [0, ...new Set(bounds.sort((a, b) => a - b)), length];
	return all
		.slice(1)
		.map((far, index) =>
			direction === 'newestFirst'
				? { from: to - far, to: to - all[index] }
				: { from: from + all[index], to: from + far },
		);
}

/** Where to cut into pieces of equal length. */
export function evenly(from: number, to: number, wanted: number): number[] {
	const pieces = Math.max(1, Math.min(Math.ceil(wanted), MAX_PIECES, to - from));
	return Array.from({ length: pieces }, (_, index) => from + ((to - from) * (index + 1)) / pieces);
}

/** Where rows at these distances have filled a slice. */
export function whereFull(distances: number[], pageSize: number): number[] {
	const wanted = rowsWanted(pageSize);
	return distances.sort((a, b) => a - b).filter((_, index) => index % wanted === wanted - 1);
}

/** Where to cut a slice whose rows are listed in no order of dates, so that those shown are a sample of all. */
export function cutsBySample({
	length,
	total,
	distances,
	pageSize,
}: {
	length: number;
	total: number;
	/** NaN for a row without a date. */
	distances: number[];
	pageSize: number;
}): number[] {
	const listed = distances.filter((distance) => !Number.isNaN(distance)).sort((a, b) => a - b);
	const wanted = rowsWanted(pageSize);
	if (listed.length === 0) return evenly(0, length, Math.max(2, total / wanted));
	const sample = whereFull(listed, (pageSize * listed.length) / total);
	// Where the nearest rows fill a slice if all are spread evenly.
	const full = (length * wanted) / total;
	return 2 * full < listed[0] ? [full, 2 * full, ...sample] : sample;
}
