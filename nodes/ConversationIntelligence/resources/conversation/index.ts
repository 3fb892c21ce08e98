import type { Resource } from '../../../shared/operation';
import { downloadAudio } from './downloadAudio.operation';
import { downloadTranscript } from './downloadTranscript.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';

export const conversation: Resource = {
	option: { name: 'Conversation', value: 'conversation' },
	operations: [getAll, get, downloadTranscript, downloadAudio],
};
