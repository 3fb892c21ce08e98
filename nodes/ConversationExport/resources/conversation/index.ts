import type { Resource } from '../../../shared/operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';

export const conversation: Resource = {
	option: { name: 'Conversation', value: 'conversation' },
	operations: [get, getAll],
};
