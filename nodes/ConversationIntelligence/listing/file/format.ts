import type { IDataObject } from 'n8n-workflow';

/** How rows become text. */
export interface RowFormat {
	/** What comes before the first row. */
	head: string;
	/** One row with its line end. */
	line(row: IDataObject): string;
}

/** NDJSON: one JSON object a line, every field as the service sent it. */
export const ndjsonFormat: RowFormat = {
	head: '',
	line: (row) => `${JSON.stringify(row)}\n`,
};
