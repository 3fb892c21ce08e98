import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { APPOINTMENT_FIELDS } from '../../../nodes/ConversationIntelligenceAppointments/mapping/appointmentFields';
import * as schemas from '../../../nodes/shared/exportApi/schemas';
import { headings, rules, tables } from '../../../scripts/apiReference';

const root = join(__dirname, '../../..');

/** The schemas by the heading of the table in docs/reference/api that each must match: `viewerSchema` is `Viewer`. */
const schemaOf = new Map(
	Object.entries(schemas).flatMap(([name, schema]) => {
		const table = name[0].toUpperCase() + name.slice(1).replace(/Schema$/, '');
		return schema instanceof z.ZodObject && table !== 'ReceivedEnvelope' ? [[table, schema] as const] : [];
	}),
);

/** The type of a field as docs/reference/api writes it. */
function typeOf(field: z.ZodTypeAny): string {
	if (field instanceof z.ZodNullable) return `${typeOf(field.unwrap() as z.ZodTypeAny)} | null`;
	if (field instanceof z.ZodArray) return `${typeOf(field.element as z.ZodTypeAny)}[]`;
	if (field instanceof z.ZodNumber) return 'number';
	if (field instanceof z.ZodBoolean) return 'boolean';
	if (field instanceof z.ZodRecord) return 'object';
	if (!(field instanceof z.ZodObject)) return 'string';
	// A description makes a copy of a schema, which keeps its shape.
	return [...schemaOf].find(([, schema]) => schema.shape === field.shape)?.[0] ?? 'an unknown object';
}

/** The objects that the service sends, except the page around the rows. */
const sent = new Set(
	rules
		.filter(({ id, chapter, field }) => id.startsWith('D1') && chapter !== 'D1 § Endpoints' && field)
		.map(({ heading }) => heading),
);
sent.delete('ConversationsExportResponse');

test('each table of docs/reference/api has a schema, and no schema is without a table', () => {
	expect([...schemaOf.keys()].sort()).toEqual([...sent].sort());
});

test.each([...sent])(
	'the schema of %s has the fields of its table in order, with their types and the first words of their meanings',
	(table) => {
		const shape = schemaOf.get(table)!.shape as z.ZodRawShape;
		const documented = tables[table].map(({ name, type }) => `${name}: ${type.replace(/ \(.*\)/, '')}`);
		expect(Object.entries(shape).map(([name, field]) => `${name}: ${typeOf(field)}`)).toEqual(documented);
		// The panel shows the descriptions of fields to choose, so each of these needs one.
		const byDefault = table.endsWith('sExport') ? 'no description' : '';
		const others = tables[table].filter(({ name, meaning }) => {
			const { description = byDefault } = shape[name];
			const words = meaning.replaceAll(/\*\*|`/g, '');
			return description && !['.', ';'].some((end) => words.startsWith(`${description}${end}`));
		});
		expect(others.map(({ name, meaning }) => [name, meaning])).toEqual([]);
	},
);

test('The columns of an appointment are the documented fields, and ask for the required ones', () => {
	const own = tables.Appointment.filter(({ name }) => name !== 'customer').map(({ name, required }) =>
		required === 'yes' || required === 'to create' ? `${name}: ${required}` : `${name}: no`,
	);
	const ofCustomer = tables.Customer.map(
		({ name, required }) => `customer_${name}: ${required === 'yes' ? 'to create' : 'no'}`,
	);
	// That an update needs attendees is the node's own rule (D2 § Attendee rules, 5).
	const words: Record<string, string> = { always: 'yes', onCreate: 'to create', onUpdate: 'no', no: 'no' };
	const columns = APPOINTMENT_FIELDS.map(({ id, required = 'no' }) => `${id}: ${words[required]}`);
	expect(columns.sort()).toEqual([...own, ...ofCustomer].sort());
});

test('each heading and ID of docs/reference/api that the sources and documents cite exists', () => {
	const folders = 'nodes credentials sandbox harness playground bench scripts test docs'.split(' ');
	const lines = folders.flatMap((folder) =>
		readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
			.filter((path) => /\.(ts|md)$/.test(path) && !path.includes('node_modules'))
			.flatMap((path) => readFileSync(join(root, folder, path), 'utf8').split('\n')),
	);
	const cited = lines.flatMap((line) => line.split(/(?=D[12] § )/).slice(1));
	expect(cited.filter((rest) => !headings.some((name) => rest.startsWith(name)))).toEqual([]);
	const ids = new Set(rules.map(({ id }) => id));
	const named = lines.flatMap((line) => line.match(/\bD[12]-[A-Z]+-\d\d\b/g) ?? []);
	expect(named.filter((id) => !ids.has(id))).toEqual([]);
});
