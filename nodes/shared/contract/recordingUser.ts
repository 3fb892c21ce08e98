import { z } from 'zod';

/** The rep who recorded (D1 § RecordingUser). */
export const recordingUserSchema = z
	.object({ id: z.string(), name: z.string().nullable(), email: z.string() })
	.passthrough();
export type RecordingUser = z.infer<typeof recordingUserSchema>;
