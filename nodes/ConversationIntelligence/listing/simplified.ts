/** What Simplify leaves of a conversation: at most ten fields, none of which expires. */
export const simplifiedConversation = [
	'conversationId',
	'date',
	'title',
	'duration',
	'user',
	'totalSold',
	'outcome',
	'jobSummary',
	'serviceUrl',
	'customer',
];
