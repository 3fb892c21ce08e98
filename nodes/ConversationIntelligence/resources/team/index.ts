import type { Resource } from '../../../shared/operation';
import { getAll } from './getAll.operation';

export const team: Resource = { option: { name: 'Team', value: 'team' }, operations: [getAll] };
