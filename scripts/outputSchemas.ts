/** The output schemas of the nodes, with which the editor offers fields before the first run. */
import { join } from 'node:path';
import { z } from 'zod';
import {
	conversationsExportSchema,
	erroredRecordingsExportSchema,
	teamsExportSchema,
	usersExportSchema,
} from '../nodes/shared/exportApi/schemas';
import { tables } from './apiReference';
import { FLAT, SIMPLIFIED_CONVERSATION as conversationFields } from '../nodes/shared/exportApi/rows';
import { SIMPLIFIED_RECORDING as recordingFields } from '../nodes/ConversationIntelligence/getMany/pagedLists';
import {
	SIMPLIFIED_TEAM as teamFields,
	SIMPLIFIED_USER as userFields,
} from '../nodes/ConversationIntelligence/getMany/metrics';

interface JsonSchema {
	type: string;
	properties?: Properties;
	items?: JsonSchema;
}
export type Properties = Record<string, JsonSchema>;

const TEXT = { type: 'string' };
const NUMBER = { type: 'number' };
const BOOLEAN = { type: 'boolean' };
const TEXTS = { type: 'array', items: TEXT };

/** Omits null, because the editor supports only one type per field. */
function jsonSchemaOf(schema: z.ZodTypeAny): JsonSchema {
	if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
		return jsonSchemaOf(schema.unwrap() as z.ZodTypeAny);
	if (schema instanceof z.ZodObject) return { type: 'object', properties: propertiesOf(schema) };
	if (schema instanceof z.ZodArray)
		return { type: 'array', items: jsonSchemaOf(schema.element as z.ZodTypeAny) };
	if (schema instanceof z.ZodString) return TEXT;
	if (schema instanceof z.ZodNumber) return NUMBER;
	return schema instanceof z.ZodBoolean ? BOOLEAN : { type: 'object' };
}

export function propertiesOf({ shape }: z.AnyZodObject): Properties {
	const fields = Object.entries(shape as z.ZodRawShape);
	return Object.fromEntries(fields.map(([name, field]) => [name, jsonSchemaOf(field)]));
}

/** What an operation returns by default. */
function simplified(schema: z.AnyZodObject, fields: string[]): Properties {
	const properties = propertiesOf(schema);
	return Object.fromEntries(
		fields.map((name) => {
			const [object, part] = FLAT.get(name) ?? [];
			return [name, part ? (properties[object!].properties?.[part] ?? TEXT) : properties[name]];
		}),
	);
}

const conversation = simplified(conversationsExportSchema, conversationFields);
const recording = erroredRecordingsExportSchema.extend({ kind: z.string() });
const range = { fromDate: TEXT, toDate: TEXT };
const conversationId = TEXT;

/** Fields of the items of Conversation Intelligence by `<resource>/<operation>`. */
export const EXPORT: Record<string, Properties> = {
	'conversation/get': conversation,
	'conversation/getAll': conversation,
	'conversation/downloadAudio': { conversationId, fileName: TEXT, mimeType: TEXT, bytes: NUMBER },
	'conversation/downloadTranscript': {
		conversationId,
		title: TEXT,
		words: NUMBER,
		transcript: TEXT,
		warnings: TEXTS,
	},
	'recording/getMissing': simplified(recording, recordingFields),
	'team/getAll': { ...simplified(teamsExportSchema, teamFields), ...range },
	'user/getAll': { ...simplified(usersExportSchema, userFields), ...range },
};

/** An object of the appointment API, from its table in docs/reference/api. */
function sentObject(table: string): JsonSchema {
	const fields = tables[table].map(({ name, type }) => [name, sentField(name, type)]);
	return { type: 'object', properties: Object.fromEntries(fields) };
}

function sentField(name: string, type: string): JsonSchema {
	if (name === 'customer') return sentObject('Customer');
	if (type === 'string[]') return TEXTS;
	if (type === 'float') return NUMBER;
	return type === 'object' ? { type } : TEXT;
}

const event_id = TEXT;
const response = { status: NUMBER, response: TEXT };
const sent = sentObject('Appointment');
const written = { event_id, user_email: TEXT, ...response, sent, warnings: TEXTS };

/** Fields of the items of Conversation Intelligence Appointments. */
export const APPOINTMENTS: Record<string, Properties> = {
	'appointment/upsert': written,
	'appointment/update': written,
	'appointment/sync': { action: TEXT, ...written },
	'appointment/delete': { deleted: BOOLEAN, existed: BOOLEAN, event_id, ...response, warnings: TEXTS },
	'appointment/match': { matched: BOOLEAN, event_id, conversation_id: TEXT, ...response, warnings: TEXTS },
};

/** The files that n8n reads next to a node. */
export function outputSchemas(): Map<string, string> {
	const nodes = { ConversationIntelligence: EXPORT, ConversationIntelligenceAppointments: APPOINTMENTS };
	const files = Object.entries(nodes).flatMap(([node, operations]) =>
		Object.entries(operations).map(([name, properties]) => {
			const path = join(__dirname, '../nodes', node, '__schema__/v1.0.0', `${name}.json`);
			const schema = { type: 'object', properties, version: 1 };
			return [path, `${JSON.stringify(schema, null, '\t')}\n`] as const;
		}),
	);
	return new Map(files);
}
