import { z } from 'zod';
import { recordingUserSchema } from './recordingUser';

/** The 11 fields that a recording has in every state (D1 § RecordingsExport). */
export const recordingShape = {
	recordingId: z.string(),
	date: z.string(),
	title: z.string().nullable(),
	duration: z.number(),
	crmEventID: z.string().nullable(),
	user: recordingUserSchema,
	jobNumber: z.string().nullable(),
	stLink: z.string().nullable(),
	totalSold: z.number().nullable(),
	outcome: z.string().nullable(),
	customFields: z.record(z.unknown()).nullable(),
};

/** A recording still on the rep's device (D1 § RecordingsExport, 11 fields). */
export const recordingsExportSchema = z.object(recordingShape).passthrough();
export type RecordingsExport = z.infer<typeof recordingsExportSchema>;

/** An uploaded recording that produced no conversation (D1 § ErroredRecordingsExport, 13 fields). */
export const erroredRecordingsExportSchema = z
	.object({ ...recordingShape, processedDate: z.string().nullable(), error: z.string() })
	.passthrough();
export type ErroredRecordingsExport = z.infer<typeof erroredRecordingsExportSchema>;
