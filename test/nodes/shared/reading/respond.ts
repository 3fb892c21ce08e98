import type { PageResponse } from '../../../../nodes/shared/exportApi/client';

/** A response with these lists, and as many pages as the longest of them has. */
export function respond(
	lists: Array<{ total: number; rows: unknown[] }>,
	{ at = 0, limit = 50, pages }: { at?: number; limit?: number; pages?: number } = {},
): PageResponse {
	const largest = Math.max(0, ...lists.map(({ total }) => total));
	return { at, read: () => ({ lists, pages: pages ?? Math.ceil(largest / limit) }) };
}
