import type { IPollFunctions } from 'n8n-workflow';
import { plainText } from '../shared/errors/text';

/** Writes a line about this trigger to n8n's log. */
export function log(context: IPollFunctions, level: 'info' | 'warn' | 'error', text: string): void {
	const { id, name } = context.getNode();
	context.logger[level](plainText(`"${name}" ${text}`), { nodeId: id, nodeName: plainText(name) });
}
