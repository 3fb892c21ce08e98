import type { PageResponse } from '../../../../nodes/shared/exportApi/page';

/** A response with these lists, and as many pages as the longest of them has. */
export function respond<Row>(
	lists: Array<{ total: number; rows: Row[] }>,
	{ at = 0, limit = 50, pages }: { at?: number; limit?: number; pages?: number } = {},
): PageResponse<Row> {
	const largest = Math.max(0, ...lists.map(({ total }) => total));
	return { at, read: () => ({ lists, pages: pages ?? Math.ceil(largest / limit) }) };
}
