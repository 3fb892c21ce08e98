/**
 * What a release promises, as data in `compat/<version>/promises.json`: names, values and defaults of parameters, output fields, error
 * codes and the fields of a saved position (docs/reference/compatibility.md). `npm run lint` compares each release with today's
 * nodes; `npx tsx scripts/compat.ts record` writes what the version in package.json promises.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NodeHelpers, type IDisplayOptions, type INodeProperties } from 'n8n-workflow';
import { ENTRY_KINDS, OF_CONVERSATION } from '../nodes/ConversationIntelligence/getMany/rowsFor';
import { columnsOf } from '../nodes/ConversationIntelligence/getMany/file';
import { APPOINTMENT_FIELDS } from '../nodes/ConversationIntelligenceAppointments/mapping/appointmentFields';
import { savedSchema } from '../nodes/ConversationIntelligencePollTrigger/ledger';
import { EVENTS } from '../nodes/ConversationIntelligenceTrigger/events';
import { ARRAYS } from '../nodes/shared/exportApi/client';
import { teamsExportSchema, usersExportSchema } from '../nodes/shared/exportApi/schemas';
import { version } from '../package.json';
import { errorTables } from './errorTables';
import { APPOINTMENTS, EXPORT } from './outputSchemas';
import { CREDENTIALS, NODES } from './parametersPage';

/** Names, and how each must stay. */
type Promises = Record<string, string>;

const COMPAT = join(__dirname, '../compat');

/** What today's nodes hold. */
export function today(): Promises {
	const held: Promises = {};
	const hold = (name: string, value = 'present') => {
		let key = name;
		// Parameters of one name are told apart by their number, e.g. a default for files and one for items.
		for (let count = 2; key in held && held[key] !== value; count++) key = `${name} #${count}`;
		held[key] = value;
	};
	/** A parameter, its values, and the entries of a collection. One that is there for people and for agents is two. */
	const holdParameter = (of: string, property: INodeProperties, prefix = '') => {
		const { name, type, default: byDefault, displayOptions, options = [], modes = [] } = property;
		const path = `${of} ${prefix}${name}${displayOptions?.show?.['@tool'] ? ' for agents' : ''}`;
		// What a model reads is a text, and texts may change.
		const isByModel = String(byDefault).includes('$fromAI(');
		hold(path, `${type}, by default ${isByModel ? 'from the model' : JSON.stringify(byDefault)}`);
		for (const option of [...options, ...modes]) {
			if (type === 'collection') holdParameter(of, option as INodeProperties, `${name}.`);
			else hold(`${path} = ${'value' in option ? option.value : option.name}`, 'offered');
		}
	};
	const holdColumns = (of: string, schema: Parameters<typeof columnsOf>[0]) => {
		for (const path of columnsOf(schema)) hold(`${of}: ${path.join('.')}`);
	};
	for (const Node of NODES) {
		const { name, properties, version: versions } = new Node().description;
		for (const typeVersion of [versions].flat())
			for (const property of properties.filter((one) => isShownIn(typeVersion, one.displayOptions)))
				holdParameter(`${name} v${typeVersion}${operationOf(property)}`, property);
	}
	for (const { name, properties } of CREDENTIALS.map((Type) => new Type()))
		for (const property of properties) holdParameter(`credential ${name}`, property);
	for (const [name, items] of Object.entries({ ...EXPORT, ...APPOINTMENTS }))
		for (const [field, { type }] of Object.entries(items)) hold(`output of ${name}: ${field}`, type);
	for (const [name, { schema }] of Object.entries(ENTRY_KINDS))
		for (const field of ['rowKey', ...OF_CONVERSATION, ...Object.keys(schema.shape as object)])
			hold(`row of ${name}: ${field}`);
	for (const [name, { schema }] of Object.entries(ARRAYS)) holdColumns(`column of ${name}`, schema);
	holdColumns('column of teams', teamsExportSchema);
	holdColumns('column of users', usersExportSchema);
	for (const [name, event] of EVENTS) holdColumns(`event ${name}`, event.fields);
	for (const { id, type = 'string' } of APPOINTMENT_FIELDS) hold(`field of an appointment: ${id}`, type);
	for (const table of Object.values(errorTables()))
		for (const [code, [, , isRetryable]] of Object.entries(table))
			hold(`error code ${code}`, isRetryable === 'retryable' ? 'can succeed later' : 'fails again');
	for (const field of Object.keys(savedSchema.shape)) hold(`saved position: ${field}`);
	return held;
}

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

/** What a release promised and the nodes no longer hold. @returns a sentence for each, by its name */
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

const promisesOf = (release: string) =>
	JSON.parse(readFileSync(join(COMPAT, release, 'promises.json'), 'utf8')) as Promises;

if (process.argv[2] === 'record') {
	mkdirSync(join(COMPAT, version), { recursive: true });
	writeFileSync(join(COMPAT, version, 'promises.json'), `${JSON.stringify(today(), null, '\t')}\n`);
}
