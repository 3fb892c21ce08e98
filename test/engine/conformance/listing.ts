import type { INodeParameters } from 'n8n-workflow';

/** The parameters by which a list is filtered by users. */
export const onlyUsers = (users: string[]): INodeParameters => ({ filters: { users }, options: { users } });
