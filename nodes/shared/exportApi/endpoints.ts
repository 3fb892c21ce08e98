/** The endpoints of the export API (D1 § Endpoints), as requests without who sends them. Nothing else writes `/export/`. */
import type { IDataObject } from 'n8n-workflow';
import { textOf } from '../errors/codedError';
import { credentialTest, type ServiceRequest } from '../http';
import { EXPORT_API_ERRORS } from './errors';
import type { DateType } from './schemas';

const CONVERSATIONS = '/export/conversations';

/** The service computes metrics for minutes; n8n's own HTTP nodes wait as long. */
const METRICS_LIMIT_MS = 300_000;

/** Both ends in UTC, ISO 8601 ending in Z. */
type Range = { fromDate: string; toDate: string };

type ConversationsBody = Range & { dateType?: DateType; page?: number; limit?: number; users?: string[] };

/** One page of conversations and of recordings without one (D1 § POST /export/conversations). */
export const conversationsRequest = (body: ConversationsBody): ServiceRequest => post(CONVERSATIONS, body);

/** The metrics of all teams (D1 § POST /export/teams). */
export const teamsRequest = (body: Range & { includeSubteams?: boolean }): ServiceRequest => ({
	...post('/export/teams', body),
	timeLimitMs: METRICS_LIMIT_MS,
});

/** The metrics of all users, or of the users named (D1 § POST /export/users). */
export const usersRequest = (body: Range & { users?: string[] }): ServiceRequest => ({
	...post('/export/users', body),
	timeLimitMs: METRICS_LIMIT_MS,
});

/**
 * One conversation by its ID. Explains a 404: it does not exist, or the key may not see it
 * (D1 § GET /export/conversations/{conversationId}).
 *
 * @param conversationId any text; encoded here
 * @param advice what to do about a 404
 */
export function conversationRequest(conversationId: string, advice = ''): ServiceRequest {
	return {
		credentialType: 'conversationExportApi',
		method: 'GET',
		path: `${CONVERSATIONS}/${encodeURIComponent(conversationId)}`,
		explain({ status }) {
			if (status !== 404) return undefined;
			return textOf(EXPORT_API_ERRORS, 'conversation_not_found', { advice });
		},
	};
}

/** Tests the export credential with one read of an almost empty range. */
export const conversationExportApiTest = credentialTest({
	credentialType: 'conversationExportApi',
	path: CONVERSATIONS,
	keyHeader: 'authorization',
	body: { fromDate: '2000-01-01T00:00:00Z', toDate: '2000-01-01T00:00:01Z', page: 1, limit: 1 },
	accepts: ({ status, body }) => status === 200 && body.includes('"totalConversations"'),
});

function post(path: string, body: IDataObject): ServiceRequest {
	return { credentialType: 'conversationExportApi', method: 'POST', path, body };
}
