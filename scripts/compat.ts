/**
 * What a release promises, as data in `compat/<version>/promises.json`: names, values and defaults of parameters, output fields, error
 * codes and the fields of a saved position (docs/reference/compatibility.md). `npm run lint` compares each release with today's
 * nodes; `npx tsx scripts/compat.ts record` writes what the version in package.json promises.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	NodeHelpers,
	type IDisplayOptions,
	type INodeProperties,
	type INodePropertyOptions,
} from 'n8n-workflow';
import { ENTRY_KINDS, OF_CONVERSATION } from '../nodes/ConversationIntelligence/getMany/rowsFor';
import { columnsOf } from '../nodes/ConversationIntelligence/getMany/csv';
import { APPOINTMENT_FIELDS } from '../nodes/ConversationIntelligenceAppointments/mapping/fields';
import { savedSchema } from '../nodes/ConversationIntelligencePollTrigger/ledger';
import { EVENTS } from '../nodes/ConversationIntelligenceTrigger/events';
import { ARRAYS } from '../nodes/shared/exportApi/client';
import { teamsExportSchema, usersExportSchema } from '../nodes/shared/exportApi/schemas';
import { version } from '../package.json';
import { errorTables } from './errorTables';
import { APPOINTMENTS, EXPORT } from './outputSchemas';
import { CREDENTIALS, NODES } from './parametersPage';

/** A name, and how it must stay. */
type Promises = Record<string, string>;
type Entry = [name: string, value: string];

const COMPAT = join(__dirname, '../compat');

/** What today's nodes hold. */
export function today(): Promises {
	const entries = [
		...NODES.flatMap((Node) => {
			const { name, properties, version: versions } = new Node().description;
			return [versions]
				.flat()
				.flatMap((typeVersion) =>
					properties
						.filter(({ displayOptions }) => isShownIn(typeVersion, displayOptions))
						.flatMap((property) => parameter(`${name} v${typeVersion}${operationOf(property)}`, property)),
				);
		}),
		...CREDENTIALS.map((Type) => new Type()).flatMap(({ name, properties }) =>
			properties.flatMap((property) => parameter(`credential ${name}`, property)),
		),
		...Object.entries({ ...EXPORT, ...APPOINTMENTS }).flatMap(([name, items]) =>
			Object.entries(items).map(([field, { type }]): Entry => [`output of ${name}: ${field}`, type]),
		),
		...Object.entries(ENTRY_KINDS).flatMap(([name, { schema }]) =>
			fields(`row of ${name}`, ['rowKey', ...OF_CONVERSATION, ...Object.keys(schema.shape as object)]),
		),
		...Object.entries(ARRAYS).flatMap(([name, { schema }]) => fields(`column of ${name}`, namesIn(schema))),
		...fields('column of teams', namesIn(teamsExportSchema)),
		...fields('column of users', namesIn(usersExportSchema)),
		...[...EVENTS].flatMap(([name, event]) => fields(`event ${name}`, namesIn(event.fields))),
		...APPOINTMENT_FIELDS.map(({ id, type }): Entry => [`field of an appointment: ${id}`, type ?? 'string']),
		...Object.values(errorTables()).flatMap((table) =>
			Object.entries(table).map(
				([code, [, , isRetryable]]): Entry => [
					`error code ${code}`,
					isRetryable === 'retryable' ? 'can succeed later' : 'fails again',
				],
			),
		),
		...fields('saved position', Object.keys(savedSchema.shape)),
	];
	const held: Promises = {};
	// Parameters of one name are told apart by their number, e.g. a default for files and one for items.
	for (const [name, value] of entries) {
		let key = name;
		for (let count = 2; key in held && held[key] !== value; count++) key = `${name} #${count}`;
		held[key] = value;
	}
	return held;
}

const namesIn = (schema: Parameters<typeof columnsOf>[0]) => columnsOf(schema).map((path) => path.join('.'));

const fields = (of: string, names: string[]) => names.map((name): Entry => [`${of}: ${name}`, 'present']);

/** Whether a version of the node has a parameter, in all the forms of n8n's conditions. */
function isShownIn(typeVersion: number, { show, hide }: IDisplayOptions = {}): boolean {
	const matches = (conditions: Parameters<typeof NodeHelpers.checkConditions>[0] = []) =>
		NodeHelpers.checkConditions(conditions, [typeVersion]);
	return (show?.['@version'] === undefined || matches(show['@version'])) && !matches(hide?.['@version']);
}

/** The resource and operation that show a parameter, e.g. ` team.getAll`. */
function operationOf({ displayOptions }: INodeProperties): string {
	const { resource = [], operation = [] } = displayOptions?.show ?? {};
	return [...resource, ...operation].length > 0 ? ` ${[...resource, ...operation].join('.')}` : '';
}

/** A parameter, its values, and the entries of a collection. One that is there for people and for agents is two. */
function parameter(of: string, property: INodeProperties, prefix = ''): Entry[] {
	const { name, type, default: byDefault, displayOptions, options = [], modes = [] } = property;
	const path = `${of} ${prefix}${name}${displayOptions?.show?.['@tool'] ? ' for agents' : ''}`;
	// What a model reads is a text, and texts may change.
	const isByModel = String(byDefault).includes('$fromAI(');
	const own: Entry = [
		path,
		`${type}, by default ${isByModel ? 'from the model' : JSON.stringify(byDefault)}`,
	];
	if (type === 'collection')
		return [own, ...(options as INodeProperties[]).flatMap((entry) => parameter(of, entry, `${name}.`))];
	const values = (options as INodePropertyOptions[]).map(({ value }) => value);
	const choices = [...values, ...modes.map((mode) => mode.name)];
	return [own, ...choices.map((choice): Entry => [`${path} = ${choice}`, 'offered'])];
}

/**
 * What a release promised and the nodes no longer hold.
 * @returns a sentence for each, by its name
 */
export function broken(release: string, promised: Promises, held: Promises): string[] {
	return Object.entries(promised)
		.filter(([name, value]) => held[name] !== value)
		.map(([name, value]) => {
			const found = name in held ? `it is "${held[name]}"` : 'it is gone';
			return `${release} promised ${name} ("${value}"), and now ${found}.`;
		});
}

/** @throws Error that names each promise of a release that is broken */
export function checkPromises(): void {
	const held = today();
	const releases = existsSync(COMPAT) ? readdirSync(COMPAT) : [];
	const found = releases.flatMap((release) => broken(release, promisesOf(release), held));
	if (found.length === 0) return;
	const remedy = 'Keep it, or add a typeVersion beside the old one: docs/reference/compatibility.md.';
	throw new Error([...found, remedy].join('\n'));
}

export const promisesOf = (release: string) =>
	JSON.parse(readFileSync(join(COMPAT, release, 'promises.json'), 'utf8')) as Promises;

if (process.argv[2] === 'record') {
	mkdirSync(join(COMPAT, version), { recursive: true });
	writeFileSync(join(COMPAT, version, 'promises.json'), `${JSON.stringify(today(), null, '\t')}\n`);
}
