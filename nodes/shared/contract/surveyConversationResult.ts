import { z } from 'zod';

/** The result of one survey; `data` is free-form and customer-defined (D1 § SurveyConversationResult). */
export const surveyConversationResultSchema = z
	.object({ surveyId: z.string(), surveyName: z.string(), data: z.record(z.unknown()) })
	.passthrough();
export type SurveyConversationResult = z.infer<typeof surveyConversationResultSchema>;
