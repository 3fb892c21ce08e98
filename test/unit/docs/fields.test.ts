import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import * as contract from '../../../nodes/shared/exportApi/schemas';

const page = readFileSync(join(__dirname, '../../../docs/fields.md'), 'utf8');

/** The tables of docs/fields.md by their heading, and the schema that each describes. */
const TABLES: Record<string, z.AnyZodObject> = {
	Conversation: contract.conversationsExportSchema,
	'user of a recording': contract.recordingUserSchema,
	viewers: contract.viewerSchema,
	checklists: contract.checklistSchema,
	trackerData: contract.trackerSchema,
	aiTrackers: contract.aiTrackerSchema,
	customer: contract.conversationCustomerSchema,
	'customer.address': contract.customerAddressSchema,
	surveyResults: contract.surveyConversationResultSchema,
	Recording: contract.erroredRecordingsExportSchema,
	Team: contract.teamsExportSchema,
	User: contract.usersExportSchema,
	'teams of a user': contract.teamMembershipSchema,
	liveCoaching: contract.liveCoachingMetricsSchema,
	'Webhook event': contract.conversationProcessedSchema,
	envelope: contract.conversationProcessedEnvelopeSchema,
	surveys: contract.webhookSurveySchema,
};

/** Field, type and meaning of each row below a heading. */
function rowsBelow(heading: string): string[][] {
	const section = page.split(/^#+ /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
	return [...section.matchAll(/^\| `(\w+)` +\| (.+?) +\| (.+?) +\|$/gm)].map((row) => row.slice(1));
}

function typeOf(field: z.ZodTypeAny): string {
	if (field instanceof z.ZodNullable) return `${typeOf(field.unwrap() as z.ZodTypeAny)} or null`;
	if (field instanceof z.ZodNumber) return 'number';
	if (field instanceof z.ZodBoolean) return 'true/false';
	if (field instanceof z.ZodArray) return 'list';
	return field instanceof z.ZodObject || field instanceof z.ZodRecord ? 'object' : 'text';
}

describe('docs/fields.md', () => {
	it.each(Object.entries(TABLES))('lists every field of %s in order with its type', (heading, schema) => {
		const fields = Object.entries(schema.shape as z.ZodRawShape);
		expect(rowsBelow(heading).map(([name, type]) => [name, type])).toEqual(
			fields.map(([name, field]) => [name, typeOf(field)]),
		);
	});

	it('marks the two fields that only errored recordings have', () => {
		const erroredOnly = rowsBelow('Recording').filter(([, , meaning]) =>
			meaning.startsWith('_Errored only._'),
		);
		const shared = Object.keys(contract.recordingsExportSchema.shape);
		expect(
			rowsBelow('Recording')
				.slice(0, shared.length)
				.map(([name]) => name),
		).toEqual(shared);
		expect(erroredOnly.map(([name]) => name)).toEqual(['processedDate', 'error']);
	});

	it('says null only for fields whose type allows it', () => {
		const rows = Object.keys(TABLES).flatMap(rowsBelow);
		const saysNull = rows.filter(([, , meaning]) => /(; |\. )null /i.test(meaning));
		expect(saysNull.filter(([, type]) => !type.endsWith('or null'))).toEqual([]);
		expect(saysNull.length).toBeGreaterThan(5);
	});
});
