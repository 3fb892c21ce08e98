import { expectedOf, faults, type Fault } from './faults';
import { operations, type Operation } from './operations';
import type { Outcome } from './outcome';

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

/** The page with the results of all faults; operations with the same result share a row. */
export function faultPage(outcomeOf: (fault: Fault, operation: Operation) => Outcome): string {
	const rows = faults.flatMap((fault) => {
		const titles = new Map<string, string[]>();
		for (const operation of operations) {
			const result = resultOf(fault, operation, outcomeOf(fault, operation));
			titles.set(result, [...(titles.get(result) ?? []), operation.title]);
		}
		return [...titles].map(([result, found], index) => {
			const all = found.length === operations.length ? 'All' : found.join(', ');
			return `| ${index === 0 ? fault.title : ''} | ${all} | ${result} |`;
		});
	});
	return `${INTRODUCTION}${rows.join('\n')}\n`;
}

function resultOf(fault: Fault, operation: Operation, { output, refused, hints }: Outcome): string {
	if (refused.length > 0) return `Error output: ${cell(refused[0])}`;
	const expected = expectedOf(fault, operation.kind);
	if (expected === 'same') return fault.once ? 'Output as usual, after a retry' : 'Output as usual';
	if ('hint' in expected) return `Output unchanged, with the hint: ${cell(hints.join(' '))}`;
	if (operation.kind === 'delete' && fault.once) return 'Deleted: the retry finds nothing';
	return `Output unchanged: ${output.length} ${output.length === 1 ? 'item' : 'items'}`;
}

/** Removes IDs, which differ from run to run. */
const cell = (text: string) =>
	text
		.replace(/ \(Event ID "[^"]*"\)/, '')
		.replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '…')
		.replaceAll('|', '\\|')
		.replaceAll('<', '&lt;');
