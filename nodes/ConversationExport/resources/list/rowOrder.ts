import type { IDataObject } from 'n8n-workflow';

/** Watches whether rows come by date, so that an export that broke off can say where to go on. No document shows the order. */
export class RowOrder {
	private pass = 0;

	private last: string | undefined;

	private rises = true;

	private falls = true;

	/** @param field the date by which the range selects */
	constructor(private readonly field: 'date' | 'processedDate') {}

	add(pass: number, rows: IDataObject[]): void {
		if (pass !== this.pass) {
			this.pass = pass;
			this.last = undefined;
		}
		for (const row of rows) {
			const date = row?.[this.field];
			if (typeof date !== 'string') continue;
			if (this.last !== undefined && date < this.last) this.rises = false;
			if (this.last !== undefined && date > this.last) this.falls = false;
			this.last = date;
		}
	}

	/** Where to go on, as an instruction; undefined when the rows do not come by date. */
	get resume(): string | undefined {
		if (this.last === undefined || this.rises === this.falls) return undefined;
		return this.rises ? `From Date to ${this.last}` : `To Date to ${this.last}`;
	}
}
