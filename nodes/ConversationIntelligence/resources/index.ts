import type { Resource } from '../../shared/node/operation';
import { downloadAudio } from './conversation/downloadAudio.operation';
import { downloadTranscript } from './conversation/downloadTranscript.operation';
import { get } from './conversation/get.operation';
import { getAll as getConversations } from './conversation/getAll.operation';
import { getMissing } from './recording/getMissing.operation';
import { getAll as getTeams } from './team/getAll.operation';
import { getAll as getUsers } from './user/getAll.operation';

/** What the node offers, in this order. */
export const resources: Resource[] = [
	{
		option: { name: 'Conversation', value: 'conversation' },
		operations: [getConversations, get, downloadTranscript, downloadAudio],
	},
	{ option: { name: 'Recording', value: 'recording' }, operations: [getMissing] },
	{ option: { name: 'Team', value: 'team' }, operations: [getTeams] },
	{ option: { name: 'User', value: 'user' }, operations: [getUsers] },
];
