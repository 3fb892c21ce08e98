import type { IDataObject } from 'n8n-workflow';
import type { RowSource } from './spec';

/**
 * What says that an export is incomplete: the stretches that are missing, why, and how to export only them.
 *
 * @returns nothing when all was read; else one object
 */
export function incompleteness(source: RowSource): IDataObject[] {
	const gaps = source.gaps();
	if (gaps.length === 0) return [];
	const missing = gaps.map(({ from, to }) => ({
		fromDate: new Date(from).toISOString(),
		toDate: new Date(to).toISOString(),
	}));
	return [
		{
			incomplete: true,
			missing,
			error: gaps[0].error.message,
			nextStep:
				'Run this operation again for each missing range: Date Range Custom with its From Date and To Date. Rows on its bounds can repeat.',
		},
	];
}
