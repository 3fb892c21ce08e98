/** Expands a range such as `D1-CONV-01..28` into its identifiers. */
export function expandTag(tag: string): string[] {
	const range = /^(D[12]-[A-Z]+)-(\d\d)\.\.(\d\d)$/.exec(tag);
	if (!range) return [tag];
	const [, prefix, first, last] = range;
	return Array.from(
		{ length: Number(last) - Number(first) + 1 },
		(_, index) => `${prefix}-${String(Number(first) + index).padStart(2, '0')}`,
	);
}

/** The rules that a test title names, such as `… [D1-EXP-05]` or `… [D1-CONV-01..28]`. */
export function tagsIn(title: string): string[] {
	return [...title.matchAll(/\[(D[12]-[A-Z0-9-]+(?:\.\.\d\d)?)\]/g)].flatMap(([, tag]) => expandTag(tag));
}
