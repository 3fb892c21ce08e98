import type { IDataObject } from 'n8n-workflow';
import { tables } from '../../../scripts/apiReference';

/** How to fill a row. `null` sets every field that the API documentation allows to be null. */
type Filling = 'full' | 'null';

/** A row with every field of a table of the API documentation, each with a different value. */
export function documentedRow(table: string, fields: IDataObject = {}, filling: Filling = 'full') {
	const row = tables[table].map(({ name, type }) => [name, valueOf(type, `${table}.${name}`, filling)]);
	return { ...(Object.fromEntries(row) as IDataObject), ...fields };
}

/** Points in time whose type is only `string`. */
const DATES = /\.(date|processedDate|timeOfFirstRecording|last(Active|RidealongAt))$/;

let next = 0;

/** All texts and numbers differ, so that a field with the value of another is noticed. */
function valueOf(type: string, path: string, filling: Filling): unknown {
	if (type.endsWith(' | null')) {
		return filling === 'null' ? null : valueOf(type.slice(0, -' | null'.length), path, filling);
	}
	if (type.endsWith('[]')) return [1, 2].map(() => valueOf(type.slice(0, -2), path, filling));
	if (type in tables) return documentedRow(type, {}, filling);
	const number = ++next;
	if (type === 'number') return number + 0.5;
	if (type === 'boolean') return number % 2 === 0;
	if (type === 'object') return { [`${path} ${number}`]: { list: [number, null], text: 'ü "quoted"' } };
	if (type === 'string (ISO 8601)' || DATES.test(path))
		return new Date(Date.UTC(2026, 2, 1) + number * 1000).toISOString();
	return `${path} ${number}`;
}
