import type { IDataObject, INode } from 'n8n-workflow';
import { isTool } from '../errors/nodeError';
import { isObject } from '../node/isObject';

/** What a model supplies, and nothing else: no other data, no call, no default but a text. */
const BY_MODEL =
	/\{\{\s*(?:\/\*[^*{}]*\*\/\s*)?\$fromAI\s*\((?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\$]|\\.|\$(?!\{))*`|[^'"`()$])*\)\s*(?:(?:\|\||\?\?)\s*(?:''|""|\[\]|null|undefined)\s*)?\}\}/gis;

/**
 * How an entry of Filters was entered; n8n resolves expressions before the node sees their value. Only what is `byModel`
 * may be left out: an expression with anything beside `$fromAI(…)` is the builder's, and one that returns nothing must
 * not mean everything.
 *
 * @param node as saved
 */
export function howEntered(
	node: Pick<INode, 'parameters' | 'type'>,
	name: string,
): 'fixed' | 'computed' | 'byModel' {
	const { filters }: IDataObject = node.parameters;
	const entered = isObject(filters) ? filters[name] : filters;
	const expressions = [entered].flat().filter((text) => typeof text === 'string' && text.startsWith('='));
	if (expressions.length === 0) return 'fixed';
	const isByModel = (text: unknown) => String(text).slice(1).replace(BY_MODEL, '').trim() === '';
	return isTool(node) && expressions.every(isByModel) ? 'byModel' : 'computed';
}
