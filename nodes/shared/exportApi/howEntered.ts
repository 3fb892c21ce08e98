import type { INode } from 'n8n-workflow';
import { isTool } from '../errors/nodeError';

/** What a model supplies, and nothing else: no other data, no call, no default but a text. */
const BY_MODEL =
	/\{\{\s*(?:\/\*[^*{}]*\*\/\s*)?\$fromAI\s*\((?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\$]|\\.|\$(?!\{))*`|[^'"`()$])*\)\s*(?:(?:\|\||\?\?)\s*(?:''|""|\[\]|null|undefined)\s*)?\}\}/gis;

/**
 * How a parameter was entered; n8n resolves expressions before the node sees their value. Only what is `byModel` may be left
 * out: an expression with anything beside `$fromAI(…)` is the builder's, and if it returns nothing, that must not mean all.
 * @param entered as saved in the node's parameters
 */
export function howEntered(node: Pick<INode, 'type'>, entered: unknown): 'fixed' | 'computed' | 'byModel' {
	const expressions = [entered].flat().filter((text) => typeof text === 'string' && text.startsWith('='));
	if (expressions.length === 0) return 'fixed';
	const isByModel = (text: unknown) => String(text).slice(1).replace(BY_MODEL, '').trim() === '';
	return isTool(node) && expressions.every(isByModel) ? 'byModel' : 'computed';
}
