import { tables } from '../../../scripts/apiReference';

const isText = (value: unknown) => typeof value === 'string';
const iso = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Checks for primitive types; any other type is the name of a field table. */
const plain: Record<string, (value: unknown) => boolean> = {
	string: isText,
	number: (value) => typeof value === 'number' && Number.isFinite(value),
	boolean: (value) => typeof value === 'boolean',
	object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
	'string (ISO 8601)': (value) => isText(value) && iso.test(String(value)),
	'string (uuid)': (value) => isText(value) && uuid.test(String(value)),
};

/** "Extra metadata from upstream may be present." */
const mayHoldMore = ['SurveyConversationResult'];

/**
 * Compares a value with a documented field table, including nested tables: exactly the same keys, with the
 * right types and null only where allowed.
 * @param omitted - keys that the documents omit in this case
 * @returns one line per difference
 */
export function differences(table: string, value: unknown, omitted: string[] = []): string[] {
	if (!plain.object(value)) return [`${table} is not an object`];
	const row = new Map(Object.entries(value as object));
	const fields = tables[table].filter(({ name }) => !omitted.includes(name));
	const known = new Set(fields.map(({ name }) => name));
	const extra = mayHoldMore.includes(table) ? [] : [...row.keys()].filter((key) => !known.has(key));
	return [
		...extra.map((key) => `${table}.${key} is not documented`),
		...fields.flatMap(({ name, type }) =>
			row.has(name) ? ofType(type, row.get(name), `${table}.${name}`) : [`${table}.${name} is missing`],
		),
	];
}

function ofType(type: string, value: unknown, path: string): string[] {
	if (type.endsWith(' | null')) return value === null ? [] : ofType(type.slice(0, -7), value, path);
	if (type.endsWith('[]')) {
		if (!Array.isArray(value)) return [`${path} is not an array`];
		return value.flatMap((entry) => ofType(type.slice(0, -2), entry, path));
	}
	if (type in tables) return differences(type, value);
	return plain[type](value) ? [] : [`${path} is not of type ${type}: ${JSON.stringify(value)}`];
}

export const isIso = plain['string (ISO 8601)'];
