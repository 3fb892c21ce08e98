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
import { FLAT, SIMPLIFIED_CONVERSATION as conversationFields } from '../nodes/shared/exportApi/flatRow';
import { simplified as recordingFields } from '../nodes/ConversationIntelligence/resources/recording/getMissing.operation';
import { simplified as teamFields } from '../nodes/ConversationIntelligence/resources/team/getAll.operation';
import { simplified as userFields } from '../nodes/ConversationIntelligence/resources/user/getAll.operation';

const NODES = join(__dirname, '..', 'nodes');

interface JsonSchema {
	type: string;
	properties?: Record<string, JsonSchema>;
	items?: JsonSchema;
	version?: number;
}

/** Omits null, because the editor supports only one type per field. */
export function jsonSchemaOf(schema: z.ZodTypeAny): JsonSchema {
	if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
		const inner: z.ZodTypeAny = schema.unwrap();
		return jsonSchemaOf(inner);
	}
	if (schema instanceof z.ZodObject) {
		const shape = Object.entries(schema.shape as z.ZodRawShape);
		return {
			type: 'object',
			properties: Object.fromEntries(shape.map(([key, field]) => [key, jsonSchemaOf(field)])),
		};
	}
	if (schema instanceof z.ZodArray) {
		const element: z.ZodTypeAny = schema.element;
		return { type: 'array', items: jsonSchemaOf(element) };
	}
	if (schema instanceof z.ZodString) return { type: 'string' };
	if (schema instanceof z.ZodNumber) return { type: 'number' };
	if (schema instanceof z.ZodBoolean) return { type: 'boolean' };
	return { type: 'object' };
}

/** What an operation returns by default. */
function simplified(schema: z.AnyZodObject, fields: string[]): z.AnyZodObject {
	const shape = schema.shape as z.ZodRawShape;
	const fieldOf = (name: string): z.ZodTypeAny => {
		const [object, part] = FLAT.get(name) ?? [];
		if (object === undefined || part === undefined) return shape[name];
		const inner = shape[object] instanceof z.ZodNullable ? shape[object].unwrap() : shape[object];
		return (inner as z.AnyZodObject).shape[part] as z.ZodTypeAny;
	};
	return z.object(Object.fromEntries(fields.map((name) => [name, fieldOf(name)])));
}

const conversation = simplified(conversationsExportSchema, conversationFields);
const range = { fromDate: z.string(), toDate: z.string() };
const file = { fileName: z.string(), mimeType: z.string(), bytes: z.number() };

/** Items of Conversation Intelligence by `<resource>/<operation>`. */
export const EXPORT: Record<string, z.ZodTypeAny> = {
	'conversation/get': conversation,
	'conversation/getAll': conversation,
	'conversation/downloadAudio': z.object({ conversationId: z.string(), ...file }),
	'conversation/downloadTranscript': z.object({
		conversationId: z.string(),
		title: z.string(),
		words: z.number(),
		transcript: z.string(),
	}),
	'recording/getMissing': simplified(
		erroredRecordingsExportSchema.extend({ kind: z.string() }),
		recordingFields,
	),
	'team/getAll': simplified(teamsExportSchema, teamFields).extend(range),
	'user/getAll': simplified(usersExportSchema, userFields).extend(range),
};

/** An object of the appointment API, from its table in docs/reference/api. */
function sentObject(table: string): z.AnyZodObject {
	return z.object(Object.fromEntries(tables[table].map(({ name, type }) => [name, sentField(name, type)])));
}

function sentField(name: string, type: string): z.ZodTypeAny {
	if (name === 'customer') return sentObject('Customer');
	if (type === 'string[]') return z.array(z.string());
	if (type === 'float') return z.number();
	return type === 'object' ? z.record(z.unknown()) : z.string();
}

const response = { status: z.number(), response: z.string() };
const warnings = z.array(z.string());
const written = z.object({
	event_id: z.string(),
	user_email: z.string(),
	...response,
	sent: sentObject('Appointment'),
	warnings,
});

/** Items of Conversation Intelligence Appointments. */
const APPOINTMENTS: Record<string, z.ZodTypeAny> = {
	'appointment/upsert': written,
	'appointment/update': written,
	'appointment/sync': z.object({ action: z.string(), ...written.shape }),
	'appointment/delete': z.object({
		deleted: z.boolean(),
		existed: z.boolean(),
		event_id: z.string(),
		...response,
		warnings,
	}),
	'appointment/match': z.object({
		matched: z.boolean(),
		event_id: z.string(),
		conversation_id: z.string(),
		...response,
		warnings,
	}),
};

/** The content of each schema file by path. */
export function outputSchemas(): Map<string, string> {
	return new Map([
		...filesOf('ConversationIntelligence', EXPORT),
		...filesOf('ConversationIntelligenceAppointments', APPOINTMENTS),
	]);
}

function filesOf(node: string, items: Record<string, z.ZodTypeAny>): Array<[path: string, text: string]> {
	return Object.entries(items).map(([name, schema]) => [
		join(NODES, node, '__schema__', 'v1.0.0', `${name}.json`),
		`${JSON.stringify({ ...jsonSchemaOf(schema), version: 1 }, null, '\t')}\n`,
	]);
}
