import type { Resource } from '../../../shared/operation';
import { getAwaitingUpload } from './getAwaitingUpload.operation';
import { getErrored } from './getErrored.operation';

export const recording: Resource = {
	option: { name: 'Recording', value: 'recording' },
	operations: [getAwaitingUpload, getErrored],
};
