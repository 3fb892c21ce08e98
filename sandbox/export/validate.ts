import { z } from 'zod';

const maxPerPage = 50;
const dateTypes = { timeOfRecording: 'date', processedDate: 'processedDate' } as const;

const moment = z
	.string()
	.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z$/, 'must be a UTC timestamp ending in Z')
	.transform(Date.parse)
	.refine((time) => !Number.isNaN(time), 'fromDate and toDate must be dates that exist');
/** `[]` means all users. */
const users = z.array(z.string()).default([]);

/** `fromDate` and `toDate` as epoch milliseconds. */
const rangeIn = <Shape extends z.ZodRawShape>(more: Shape) =>
	z
		.object({ fromDate: moment, toDate: moment })
		.transform(({ fromDate, toDate }) => ({ from: fromDate, to: toDate }))
		.refine(({ from, to }) => to > from, 'toDate must be after fromDate')
		.and(z.object(more));

export type Range = { from: number; to: number };

/** The bodies of the POST requests, with their defaults. */
export const requests = {
	conversations: rangeIn({
		dateType: z
			.enum(['timeOfRecording', 'processedDate'])
			.default('timeOfRecording')
			.transform((type) => dateTypes[type]),
		page: z.number().int().min(1).default(1),
		limit: z.number().int().min(1).max(maxPerPage).default(maxPerPage),
		users,
	}),
	teams: rangeIn({ includeSubteams: z.boolean().default(false) }),
	users: rangeIn({ users }),
};
