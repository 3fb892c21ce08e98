import type { Resource } from '../shared/node/operations';
import { downloadAudio, downloadTranscript, getConversation } from './conversation';
import { manyConversations, missingRecordings } from './getMany/conversations';
import { teamMetrics, userMetrics } from './getMany/metrics';

export const resources: Resource[] = [
	{
		option: { name: 'Conversation', value: 'conversation' },
		operations: [manyConversations, getConversation, downloadTranscript, downloadAudio],
	},
	{ option: { name: 'Recording', value: 'recording' }, operations: [missingRecordings] },
	{ option: { name: 'Team', value: 'team' }, operations: [teamMetrics] },
	{ option: { name: 'User', value: 'user' }, operations: [userMetrics] },
];
