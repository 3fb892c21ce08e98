import { z } from 'zod';
import { checked } from '../problem';

const mostPerPage = 50;
const dateTypes = { timeOfRecording: 'date', processedDate: 'processedDate' } as const;

const moment = z
	.string()
	.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z$/, 'must be a UTC timestamp ending in Z')
	.transform(Date.parse)
	.refine((time) => !Number.isNaN(time), 'fromDate and toDate must be dates that exist');
const users = z.array(z.string()).default([]);

/** `fromDate` and `toDate` as epoch milliseconds. */
const rangeIn = <Shape extends z.ZodRawShape>(more: Shape) =>
	z
		.object({ fromDate: moment, toDate: moment })
		.transform(({ fromDate, toDate }) => ({ from: fromDate, to: toDate }))
		.refine(({ from, to }) => to > from, 'toDate must be after fromDate')
		.and(z.object(more));

export type Range = { from: number; to: number };

const shapes = {
	conversations: rangeIn({
		dateType: z.enum(['timeOfRecording', 'processedDate']).default('timeOfRecording'),
		page: z.number().int().min(1).default(1),
		limit: z.number().int().min(1).max(mostPerPage).default(mostPerPage),
		users,
	}),
	teams: rangeIn({ includeSubteams: z.boolean().default(false) }),
	users: rangeIn({ users }),
};

/** The body of `POST /export/conversations`, with its defaults. @throws Problem */
export function conversationsRequestIn(body: unknown) {
	const { dateType, ...request } = checked(shapes.conversations, body);
	return { ...request, by: dateTypes[dateType] };
}

/** The body of `POST /export/teams`. @throws Problem */
export const teamsRequestIn = (body: unknown) => checked(shapes.teams, body);

/** The body of `POST /export/users`; `[]` means all users. @throws Problem */
export const usersRequestIn = (body: unknown) => checked(shapes.users, body);
