import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { itemsOf, type Execution } from '../../../harness/n8n/execution';
import type { FaultRequest } from '../../../sandbox';
import { NODE, type CREDENTIALS } from '../../support/exportWorkflow';
import FAULTS from './faults.json';
import OPERATIONS from './operations.json';

/** The page that the nightly tests write: what happens under faults, one at a time and all together. */
export const PAGE = join(__dirname, '../../../docs/reference/faults.md');
const HEADING = '\n## Everything at once\n';

/** What goes wrong between n8n and the service. */
export interface Fault {
	title: string;
	/** Applies to the first request only; otherwise to every request. */
	once?: boolean;
	/** A refusal is in the words that messages quote, and does not reach the service. */
	strike?: Omit<FaultRequest, 'path' | 'times'>;
	/** Replaces the base URL or the host of presigned links. */
	origin?: string;
}

/** One operation, with parameters that succeed without a fault; raw, so that unknown fields are visible. */
export interface Operation {
	title: string;
	node: keyof typeof CREDENTIALS;
	/** With `{conversation}` for the ID of a conversation, and `{rep}` for the address of a rep. */
	parameters: INodeParameters;
	/** Start of the paths of its own requests, to which a fault applies. */
	path: string;
}

export const faults = FAULTS as Fault[];
export const [NO_FAULT] = faults;
export const operations = OPERATIONS as Operation[];

/** What the last published long run wrote, with its heading. */
export function longRunOf(): string {
	const [, section] = existsSync(PAGE) ? readFileSync(PAGE, 'utf8').split(HEADING) : [];
	return section === undefined ? '' : `${HEADING}${section}`;
}

/** Replaces the section of the long run. */
export function writeLongRun(section: string): void {
	const [matrix] = readFileSync(PAGE, 'utf8').split(HEADING);
	writeFileSync(PAGE, `${matrix}${HEADING}\n${section}\n`);
}

const INTRODUCTION = `# What happens under faults

What the operations of both action nodes return while one thing goes wrong. They ran in a real n8n against the local service,
with **On Error** set to **Continue (using error output)**.
A fault called "once" applies only to the first request. A failed request is retried up to five times, after a 429 up to ten times
([statuses and retries](requests.md)). What each message means: [error messages](errors.md).

The test \`ends as docs/reference/faults.md says\` wrote this page with
\`UPDATE_DOCS=1 npx jest --selectProjects nightly --testPathPatterns faultMatrix\`. Every night it fails if a result differs.

| Fault | Operation | Result |
| --- | --- | --- |
`;

/** The result of one operation under one fault. */
export interface Outcome {
	/** Items on the first output, without what differs from run to run: origins, signatures, times. */
	output: unknown[];
	/** Items on the error output, as `message: description`. */
	refused: string[];
	/** The node's hints. */
	hints: string[];
}

export function outcomeOf(execution: Execution): Outcome {
	const hints = execution.data?.resultData.runData[NODE]?.at(-1)?.hints ?? [];
	return {
		output: itemsOf(execution, NODE, 0).map(comparable),
		refused: itemsOf(execution, NODE, 1).map(({ json }) => words(json)),
		hints: hints.map(({ message }) => message),
	};
}

const words = ({ error, message }: IDataObject) => [error, message].filter(Boolean).join(': ');

const MOMENT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/;

function comparable({ json, binary }: INodeExecutionData): unknown {
	const files = Object.values(binary ?? {}).map((file) => [file.fileName, file.mimeType, file.bytes]);
	const text = JSON.stringify({ json, files }, (key, value: unknown) => {
		if (typeof value !== 'string') return value;
		if (/^https?:/.test(value)) return new URL(value).pathname;
		return key === 'urlsExpireAt' ? value.replace(MOMENT, 'a moment') : value;
	});
	return JSON.parse(text);
}

/** The page with the results of all faults; operations with the same result share a row. */
export function faultPage(outcome: (fault: Fault, operation: Operation) => Outcome): string {
	const rows = faults.flatMap((fault) => {
		const titles = new Map<string, string[]>();
		for (const operation of operations) {
			const usual = outcome(NO_FAULT, operation);
			const result = resultOf(fault, operation, outcome(fault, operation), usual);
			titles.set(result, [...(titles.get(result) ?? []), operation.title]);
		}
		return [...titles].map(([result, found], index) => {
			const all = found.length === operations.length ? 'All' : found.join(', ');
			return `| ${index === 0 ? fault.title : ''} | ${all} | ${result} |`;
		});
	});
	return `${INTRODUCTION}${rows.join('\n')}\n`;
}

function resultOf({ once }: Fault, { parameters }: Operation, outcome: Outcome, usual: Outcome): string {
	const { output, refused, hints } = outcome;
	const items = `${output.length} ${output.length === 1 ? 'item' : 'items'}`;
	if (refused.length > 0) {
		const errors = `Error output: ${refused.map(cell).join(' ')}`;
		return output.length > 0 ? `${items}. ${errors}` : errors;
	}
	if (isDeepStrictEqual(outcome, usual)) return once ? 'Output as usual, after a retry' : 'Output as usual';
	if (!isDeepStrictEqual(hints, usual.hints))
		return `Output unchanged, with the hint: ${cell(hints.join(' '))}`;
	if (parameters.operation === 'delete' && once) return 'Deleted: the retry finds nothing';
	return `Output unchanged: ${items}`;
}

/** Removes IDs, which differ from run to run. */
const cell = (text: string) =>
	text
		.replace(/ \(Event ID "[^"]*"\)/, '')
		.replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '…')
		.replaceAll('|', '\\|')
		.replaceAll('<', '&lt;');
