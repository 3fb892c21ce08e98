import type { Slice } from '../exportApi/client';
import type { Reading } from './reading';
import { rowsOf, type Missing } from './report';

/** How often a slice is read in pages, until one reading is consistent. */
const MAX_READINGS = 3;

/**
 * Reads a slice of more than 50 rows that cannot be cut, several times if it changes. A reading is
 * consistent when no total changed, as many rows came as it counts, and none of them is new or the previous reading
 * showed the same ones.
 *
 * @param limit rows of a page
 * @param hasRoom whether another request may be made
 * @yields the rows of each page; those of later readings repeat
 * @throws what requests throw
 */
export async function* readInPages(
	reading: Reading,
	slice: Slice,
	limit: number,
	hasRoom: () => boolean,
): AsyncGenerator<unknown[], Missing> {
	let previous = new Set<unknown>();
	for (let readings = 1; ; readings++) {
		const seen = new Set<unknown>();
		const counts = new Set<number>();
		let openedAt: number | undefined;
		let isAllOld = true;
		let hasEnded = false;
		let [pages, maxPages] = [Infinity, Infinity];
		for (let page = 1; page <= Math.min(pages, maxPages); page++) {
			if (!hasRoom()) return { unlisted: 0, paged: 'unsettled' };
			const response = await reading.fetch({ ...slice, page, limit });
			const content = response.read();
			openedAt ??= response.at;
			counts.add(content.lists.reduce((sum, { total }) => sum + total, 0));
			const before = seen.size;
			const rows = rowsOf(content);
			for (const row of rows) {
				seen.add(reading.report.idOf(row) ?? row);
				isAllOld &&= page === 1 || reading.isOld(row, openedAt);
			}
			yield rows;
			// A page without a new row is behind the last one, whatever the service counts.
			hasEnded = seen.size === before && page > 1;
			if (seen.size === before) break;
			pages = content.pages;
			if (page === 1) maxPages = 2 * pages + 1;
		}
		const unlisted = Math.max(0, Math.max(...counts) - seen.size);
		const isSame = previous.size === seen.size && [...seen].every((id) => previous.has(id));
		const isCounted = counts.size === 1 && counts.has(seen.size) && !hasEnded;
		const isSettled = isCounted && (isAllOld || isSame);
		if (isSettled || readings === MAX_READINGS) {
			return { unlisted, paged: isSettled ? 'settled' : 'unsettled' };
		}
		previous = seen;
	}
}
