import { maxOf, type Slice } from '../exportApi/client';

/** How full a slice is cut, as a share of a page, with room for rows that arrive before it is read. */
const FILL = 0.8;

/** Maximum pieces of equal length that a slice is cut into at once; each is cut again if necessary. */
const MAX_PIECES = 1000;

/** From which end a range is read: distances count from there, in milliseconds. */
export type Direction = 'newestFirst' | 'oldestFirst';

/** Rows that a slice is cut for. */
export const rowsWanted = (pageSize: number): number => Math.max(1, Math.floor(pageSize * FILL));

export function distanceOf(slice: Slice, date: number, direction: Direction): number {
	return direction === 'newestFirst' ? slice.to - date : date - slice.from;
}

/** Cuts a slice at these distances, or where it can be cut, if none of them is inside. The nearest piece is the first one. */
export function piecesAt({ from, to }: Slice, distances: number[], direction: Direction): Slice[] {
	const length = to - from;
	const inside = (bounds: number[]) => bounds.map(Math.round).filter((bound) => bound > 0 && bound < length);
	const bounds = inside(distances).length > 0 ? inside(distances) : inside([1, length / 2, length - 1]);
	const all = [0, ...new Set(bounds.sort((a, b) => a - b)), length];
	const isNewest = direction === 'newestFirst';
	return all.slice(1).map((far, index) => {
		const near = all[index];
		return isNewest ? { from: to - far, to: to - near } : { from: from + near, to: from + far };
	});
}

export function evenly(from: number, to: number, wanted: number): number[] {
	const pieces = Math.max(1, Math.min(wanted, MAX_PIECES));
	return Array.from({ length: pieces }, (_, index) => from + ((to - from) * (index + 1)) / pieces);
}

/** Where rows at these distances have filled a slice. */
export function whereFull(distances: number[], pageSize: number): number[] {
	const wanted = rowsWanted(pageSize);
	return distances.sort((a, b) => a - b).filter((_, index) => index % wanted === wanted - 1);
}

/** A response that was too full for its slice, of which this is the length and the counted rows. */
export interface TooFull {
	length: number;
	total: number;
	/** Distances of the rows that it lists, in the service's order; NaN for a row without a date. */
	distances: number[];
	pageSize: number;
}

/** Where a service that lists the farther end first has the row at which the nearer end is full; undefined otherwise. */
export function nearestRow({ total, distances, pageSize }: TooFull) {
	const isFarFirst = distances.every((distance, index) => index === 0 || distance <= distances[index - 1]);
	const [nearest, farthest] = [-maxOf(distances.map((distance) => -distance)), maxOf(distances)];
	if (!isFarFirst || nearest <= farthest - nearest || total <= 2 * pageSize) return undefined;
	const position = total - rowsWanted(pageSize);
	return { page: Math.floor(position / pageSize) + 1, index: position % pageSize };
}

/**
 * Where to cut a slice, by the rows of its response: a service can list any order, so they are a sample of all rows, or
 * those of one end.
 * @param near where the nearer end and the slice behind it are full, if {@link nearestRow} has shown it
 */
export function cutsBy({ length, total, distances, pageSize }: TooFull, near?: number[]): number[] {
	const wanted = rowsWanted(pageSize);
	const listed = distances.filter((distance) => !Number.isNaN(distance)).sort((a, b) => a - b);
	if (listed.length === 0) return evenly(0, length, Math.ceil(total / wanted));
	const [nearest, farthest] = [listed[0], listed[listed.length - 1]];
	const spread = farthest - nearest;
	const pieces = Math.ceil((total - listed.length) / wanted);
	if (near) return [...near, ...evenly(near[0], nearest, pieces)];
	const isNearFirst = distances.every((distance, index) => index === 0 || distance >= distances[index - 1]);
	const isFarAway = nearest > spread && !isNearFirst;
	if (!isFarAway && length - farthest > spread) {
		const full = listed[Math.min(listed.length, wanted) - 1];
		// The next rows are probably as close to each other.
		const step = full - nearest;
		const steps = step > 0 ? Math.ceil((length - full) / step) : 0;
		return [full, full + step, ...evenly(full, length, Math.max(pieces, steps))];
	}
	const sample = whereFull(listed, (pageSize * listed.length) / total);
	return isFarAway ? [nearest / 2, nearest - spread, nearest - 1, ...sample, farthest] : sample;
}
