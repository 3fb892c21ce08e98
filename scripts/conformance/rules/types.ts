/** One thing that a document says, with the identifier that test titles carry: `[D1-EXP-05] …`. */
export interface Rule {
	id: string;
	/** What the document says, in short. */
	text: string;
}

/** The rules of one part of a document, in the document's order. */
export interface Section {
	document: 'D1' | 'D2';
	/** The document's own heading. */
	heading: string;
	rules: Rule[];
}

/** A field as its table lists it; `type` in the document's own words. */
export interface Field {
	name: string;
	type: string;
}

/** A section made from a field table: row n is the rule `<prefix>-<n>`. */
export interface FieldTable extends Section {
	fields: Field[];
}

/** A section of named rules: identifier → text. */
export function section(
	document: Section['document'],
	heading: string,
	rules: Record<string, string>,
): Section {
	return { document, heading, rules: Object.entries(rules).map(([id, text]) => ({ id, text })) };
}

/** A field table: `[name, type, note]` per row, numbered from 01 in the document's order. */
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
