/** A rule of an API document, with the identifier that test titles use as a tag. */
export interface Rule {
	id: string;
	/** A summary of the rule. */
	text: string;
}

/** The rules of a section of a document, in order. */
export interface Section {
	document: 'D1' | 'D2';
	/** The section's heading in the document. */
	heading: string;
	rules: Rule[];
}

/** A chapter of a document: a row of the summary. */
export interface Chapter {
	document: Section['document'];
	heading: string;
	sections: Section[];
}

/** A field of a table; `type` is as in the document. */
export interface Field {
	name: string;
	type: string;
}

/** A section with a field table, in which row n is the rule `<prefix>-<n>`. */
export interface FieldTable extends Section {
	fields: Field[];
}

/** Creates a section from rules by identifier. */
export function section(
	document: Section['document'],
	heading: string,
	rules: Record<string, string>,
): Section {
	return { document, heading, rules: Object.entries(rules).map(([id, text]) => ({ id, text })) };
}

/** Creates a field table from rows of `[name, type, note]`, numbered from 01. */
export function fieldTable(
	document: Section['document'],
	heading: string,
	prefix: string,
	rows: ReadonlyArray<readonly [name: string, type: string, note?: string]>,
): FieldTable {
	return {
		document,
		heading,
		fields: rows.map(([name, type]) => ({ name, type })),
		rules: rows.map(([name, type, note], index) => ({
			id: `${prefix}-${String(index + 1).padStart(2, '0')}`,
			text: `\`${name}\`: ${type}${note ? `. ${note}` : ''}`,
		})),
	};
}
