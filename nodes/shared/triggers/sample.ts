import type { IDataObject } from 'n8n-workflow';
import { codedError } from '../errors/codedError';
import { labelsOf, passes } from '../exportApi/conversationFilter';
import { ExportClient } from '../exportApi/client';
import { EXPORT_API_ERRORS } from '../exportApi/errors';
import { readByDate, Reading } from '../reading';
import { withMembers, type TriggerContext, type TriggerFilter } from './filters';
import { conversationItem, type Origin } from './output';

const DAYS = 30;

/** With more rows that do not pass the filter, a person would wait too long. */
const MAX_READ = 500;

/**
 * The items of the conversations that were processed last, the latest first, for a person who tries a trigger.
 * @param wanted how many, at most
 * @throws CodedError when there are none
 */
export async function sampleItems(
	context: TriggerContext,
	{ output, ...settings }: TriggerFilter & { output: 'simplified' | 'raw' },
	source: Origin['source'],
	wanted: number,
): Promise<IDataObject[]> {
	const filter = await withMembers(context, settings);
	const to = Date.now();
	const reading = new Reading({
		client: new ExportClient(context),
		list: { arrays: ['conversations'], dateType: 'processedDate', users: filter.users },
		range: { from: to - DAYS * 24 * 60 * 60_000, to },
		maxRows: MAX_READ,
		concurrency: 1,
	});
	const found: IDataObject[] = [];
	for await (const rows of readByDate(reading, 'newestFirst', wanted)) {
		for (const row of rows as IDataObject[]) if (passes(filter, row)) found.push(row);
		if (found.length >= wanted || reading.report.isFull) break;
	}
	const origin = { source, isTest: true } as const;
	if (found.length > 0) return found.slice(0, wanted).map((row) => conversationItem(row, output, origin));
	const labels = labelsOf(filter).join(', ');
	const which = labels === '' ? '' : ` that passes ${labels}`;
	throw codedError(EXPORT_API_ERRORS, 'no_sample', { which, days: DAYS });
}
