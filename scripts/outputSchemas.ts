/** The output schemas of the nodes, with which the editor offers fields before the first run. */
import { join } from 'node:path';
import { z } from 'zod';
import {
	conversationsExportSchema,
	erroredRecordingsExportSchema,
	recordingsExportSchema,
	teamsExportSchema,
	usersExportSchema,
} from '../nodes/shared/exportApi/schemas';
import { SIMPLIFIED } from '../nodes/ConversationIntelligence/listing/fields';

const FOLDER = join(__dirname, '..', 'nodes', 'ConversationIntelligence', '__schema__', 'v1.0.0');

interface JsonSchema {
	type: string;
	properties?: Record<string, JsonSchema>;
	items?: JsonSchema;
	version?: number;
}

/** Omits null, because the editor supports only one type per field. */
function jsonSchemaOf(schema: z.ZodTypeAny): JsonSchema {
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
	return schema.pick(Object.fromEntries(fields.map((field) => [field, true])));
}

const conversation = simplified(conversationsExportSchema, SIMPLIFIED.conversation);
const file = { fileName: z.string(), mimeType: z.string(), bytes: z.number() };

/** Item schemas by `<resource>/<operation>`. */
const ITEMS: Record<string, z.ZodTypeAny> = {
	'conversation/get': conversation,
	'conversation/getAll': conversation,
	'conversation/downloadAudio': z.object({ conversationId: z.string(), ...file }),
	'conversation/downloadTranscript': z.object({
		conversationId: z.string(),
		title: z.string(),
		words: z.number(),
		transcript: z.string(),
	}),
	'recording/getAwaitingUpload': simplified(recordingsExportSchema, SIMPLIFIED.recording),
	'recording/getErrored': simplified(erroredRecordingsExportSchema, [...SIMPLIFIED.recording, 'error']),
	'team/getAll': simplified(teamsExportSchema, SIMPLIFIED.team),
	'user/getAll': simplified(usersExportSchema, SIMPLIFIED.user),
};

/** The content of each schema file by path. */
export function outputSchemas(): Map<string, string> {
	return new Map(
		Object.entries(ITEMS).map(([name, schema]) => [
			join(FOLDER, `${name}.json`),
			`${JSON.stringify({ ...jsonSchemaOf(schema), version: 1 }, null, '\t')}\n`,
		]),
	);
}
