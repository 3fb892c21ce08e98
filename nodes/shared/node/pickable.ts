import type { INodePropertyOptions } from 'n8n-workflow';

/**
 * What a person can pick of a list: n8n saves a value that begins with `=` as an expression and runs it, so such ones are
 * left out, and a last entry says so. Its own value is no ID, so that picking it is refused.
 * @param id what the values are, e.g. `a team's ID`
 */
export function pickable(options: INodePropertyOptions[], id: string): INodePropertyOptions[] {
	const safe = options.filter(({ value }) => !String(value).startsWith('='));
	const count = options.length - safe.length;
	if (count === 0) return safe;
	const name = `Not listed: ${count}, because ${id} begins with "="`;
	return [...safe, { name, value: 'not listed', description: 'Use an expression that returns it' }];
}
