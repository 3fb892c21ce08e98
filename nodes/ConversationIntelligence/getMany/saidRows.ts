import type { IDataObject } from 'n8n-workflow';
import { mapOrdered } from '../../shared/base/concurrency';
import { wellFormedData } from '../../shared/base/text';
import { keepFields } from '../../shared/exportApi/rows';
import { DOWNLOADS_AT_ONCE } from '../../shared/media/download';
import { searchTranscript, type Search } from '../../shared/media/passages';
import { addTranscript } from '../../shared/media/transcript';
import { noteFields, passedRows, type ListRun } from './listPipeline';

/** Transcripts that one call of an agent searches at most. */
const MAX_SEARCHED_BY_AGENT = 200;
/** Passages of a conversation that an agent gets at most; Limit never cuts these, because the next call goes on after them. */
export const MAX_PASSAGES_FOR_AGENT = 5;

/**
 * Returns the rows of conversations in whose transcripts the words were said. Transcripts are searched side by side, in the
 * order of the list, and no more than Limit needs.
 * @throws what reading the list throws, and the reason of a stopped execution
 */
export async function* saidRows(run: ListRun): AsyncGenerator<IDataObject[]> {
	const { item, request, tally } = run;
	const maxSearched = item.isTool ? MAX_SEARCHED_BY_AGENT : Infinity;
	let [started, rows, misses] = [0, 0, 0];
	/** One search for each row that Limit still needs, and one more after each search that found nothing. */
	const searchesAtOnce = () => {
		const isEnough = rows >= request.maxRows || started >= maxSearched;
		return isEnough ? 0 : Math.min(DOWNLOADS_AT_ONCE.transcript, request.maxRows - rows + misses);
	};
	const conversations = oneByOne(passedRows(run));
	const searches = mapOrdered(steps(conversations), searchesAtOnce, async (step) => {
		const { value: row, done } = await step;
		if (done) return undefined;
		started++;
		const search = await searchTranscript(item.context, row, request.said!);
		const found = await rowsFound(run, row, search);
		addToTally(run, search);
		rows += countOf(run, found);
		if (found.length === 0) misses++;
		return { row, found };
	});
	let taken = 0;
	try {
		for await (const result of searches) {
			if (!result) break;
			taken++;
			yield keep(run, result);
			if (tally.isCut || tally.rows >= request.maxRows) break;
		}
		tally.isCut ||= started > taken || !(await conversations.next()).done;
	} finally {
		await conversations.return(undefined);
	}
}

function addToTally({ tally }: ListRun, { passages, speech, error }: Search): void {
	if (speech ?? error !== null) tally.searched++;
	if (passages.length > 0) tally.said++;
	if (error !== null) tally.failedTranscripts++;
	if (speech?.warning) tally.unclearTranscripts++;
}

/** The rows of a conversation up to Limit. */
function keep(run: ListRun, { row, found }: { row: IDataObject; found: IDataObject[] }): IDataObject[] {
	const { item, request, tally } = run;
	const isWhole = item.isTool || !isOfPassages(run);
	const kept = isWhole ? found : found.slice(0, request.maxRows - tally.rows);
	tally.lastRow = row;
	tally.rows += countOf(run, kept);
	tally.returned += kept.length;
	tally.isCut = kept.length < found.length;
	if (found.length > 0) noteFields(run, [row]);
	return kept.map(wellFormedData);
}

const isOfPassages = ({ request }: ListRun) => request.entries?.rowKind === 'passages';

/** How many rows of a conversation Limit counts. */
const countOf = (run: ListRun, rows: IDataObject[]) =>
	isOfPassages(run) ? rows.length : Math.min(1, rows.length);

/** The rows of one conversation: none if nothing was said, and one that says why its transcript could not be searched. */
async function rowsFound(run: ListRun, row: IDataObject, { passages, speech, error }: Search) {
	const { entries, transcript } = run.request;
	if (passages.length === 0 && error === null) return [];
	const json = keepFields(entries ? { ...row, rowKey: row.conversationId } : row, run.fields);
	if (transcript) await addTranscript(run.item.context, row, json, transcript, speech);
	const shown = passages.slice(0, run.item.isTool ? MAX_PASSAGES_FOR_AGENT : undefined);
	const found = entries && error === null ? entries.of(row, shown) : [json];
	return found.map((one): IDataObject => ({ ...one, transcriptError: error }));
}

/** The rows of all batches. The next batch is read while the rows of the current batch are processed. */
async function* oneByOne(batches: AsyncGenerator<IDataObject[]>): AsyncGenerator<IDataObject> {
	let next = batches.next();
	try {
		for (let batch = await next; !batch.done; batch = await next) {
			next = batches.next();
			// Avoids an unhandled rejection; the error is thrown when the batch is awaited.
			next.catch(() => {});
			yield* batch.value;
		}
	} finally {
		await batches.return(undefined);
	}
}

/** The next steps of a generator, each as a promise, for tasks that await them side by side. */
function* steps<Value>(values: AsyncGenerator<Value>): Generator<Promise<IteratorResult<Value, undefined>>> {
	for (;;) yield values.next();
}
