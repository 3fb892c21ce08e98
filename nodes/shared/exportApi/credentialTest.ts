import { credentialTest } from '../http';

/** Tests the export credential with one read of an almost empty range. */
export const conversationExportApiTest = credentialTest({
	type: 'conversationExportApi',
	path: '/export/conversations',
	keyHeader: 'authorization',
	body: { fromDate: '2000-01-01T00:00:00Z', toDate: '2000-01-01T00:00:01Z', page: 1, limit: 1 },
	accepts: ({ status, body }) => status === 200 && body.includes('"totalConversations"'),
	unknownKey: 401,
});
