import { isDeepStrictEqual } from 'node:util';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { itemsOf, type Execution } from '../../../../harness/n8n/execution';
import { NODE } from '../../../support/exportWorkflow';
import { faults, NO_FAULT, type Fault } from './faults';
import { operations, type Operation } from './operations';

const INTRODUCTION = `# What happens under faults

Every operation of both action nodes, run in a real n8n against the local service with one fault at a time,
with **On Error** set to **Continue (using error output)**. "Once" applies only to the first request. The nodes retry with
pauses, up to six attempts, or eleven after a 429.

This page is written by a test run: \`UPDATE_DOCS=1 npx jest --selectProjects nightly --testPathPatterns faultMatrix\`;
without \`UPDATE_DOCS\` the same test fails when a result differs. [Troubleshooting](../troubleshooting.md) says what to do about
each message.

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
	const files = Object.values(binary ?? {}).map(({ fileName, mimeType, bytes }) => ({
		fileName,
		mimeType,
		bytes,
	}));
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

function resultOf({ once }: Fault, { isDelete }: Operation, outcome: Outcome, usual: Outcome): string {
	const { output, refused, hints } = outcome;
	const items = `${output.length} ${output.length === 1 ? 'item' : 'items'}`;
	if (refused.length > 0) {
		const errors = `Error output: ${refused.map(cell).join(' ')}`;
		return output.length > 0 ? `${items}. ${errors}` : errors;
	}
	if (isDeepStrictEqual(outcome, usual)) return once ? 'Output as usual, after a retry' : 'Output as usual';
	if (!isDeepStrictEqual(hints, usual.hints))
		return `Output unchanged, with the hint: ${cell(hints.join(' '))}`;
	if (isDelete && once) return 'Deleted: the retry finds nothing';
	return `Output unchanged: ${items}`;
}

/** Removes IDs, which differ from run to run. */
const cell = (text: string) =>
	text
		.replace(/ \(Event ID "[^"]*"\)/, '')
		.replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '…')
		.replaceAll('|', '\\|')
		.replaceAll('<', '&lt;');
