import type { IPollFunctions } from 'n8n-workflow';

/** Writes a line about this trigger to n8n's log. */
export function log(context: IPollFunctions, level: 'info' | 'warn' | 'error', text: string): void {
	const { id, name } = context.getNode();
	context.logger[level](`"${name}" ${text}`, { nodeId: id, nodeName: name });
}
