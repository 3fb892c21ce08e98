/** Data with these values in place of the names in braces in its texts. */
export const filled = <Data>(data: Data, values: Record<string, string>): Data =>
	JSON.parse(JSON.stringify(data), (_key, value: unknown) =>
		typeof value === 'string' ? value.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all) : value,
	);
