import type { Resource } from '../../../shared/operation';
import { getAll } from './getAll.operation';

export const user: Resource = { option: { name: 'User', value: 'user' }, operations: [getAll] };
