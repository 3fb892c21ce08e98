import { tables } from '../../../scripts/conformance/rules';

const isText = (value: unknown) => typeof value === 'string';
const iso = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The documents' plain types; every other type is the name of a field table. */
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

export interface Exceptions {
	/** Keys that the document says are omitted in this case. */
	omitted?: string[];
}

/**
 * Holds a value against a field table of the documents: exactly its keys, each of its type, null only
 * where `| null` stands, nested tables too.
 * @returns one line per difference; empty when there is none
 */
export function differences(table: string, value: unknown, { omitted = [] }: Exceptions = {}): string[] {
	if (!plain.object(value)) return [`${table} is no object`];
	const row = new Map(Object.entries(value as object));
	const fields = tables[table].fields.filter(({ name }) => !omitted.includes(name));
	const known = new Set(fields.map(({ name }) => name));
	const extra = mayHoldMore.includes(table) ? [] : [...row.keys()].filter((key) => !known.has(key));
	return [
		...extra.map((key) => `${table}.${key} is not in the document`),
		...fields.flatMap(({ name, type }) =>
			row.has(name) ? ofType(type, row.get(name), `${table}.${name}`) : [`${table}.${name} is missing`],
		),
	];
}

function ofType(type: string, value: unknown, path: string): string[] {
	if (type.endsWith(' | null')) return value === null ? [] : ofType(type.slice(0, -7), value, path);
	if (type.endsWith('[]')) {
		if (!Array.isArray(value)) return [`${path} is no array`];
		return value.flatMap((entry) => ofType(type.slice(0, -2), entry, path));
	}
	if (type in tables) return differences(type, value);
	return plain[type](value) ? [] : [`${path} is no ${type}: ${JSON.stringify(value)}`];
}

export const isIso = plain['string (ISO 8601)'];
