import type { INodeParameters } from 'n8n-workflow';
import { ConversationIntelligence } from '../../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import type { Engine } from '../../support/engine';
import { scriptedEngine } from '../../support/engine/fixtures';

/** From 2020 to 2029. */
export const RANGE = {
	dateRange: 'custom',
	fromDate: '2020-01-01T00:00:00Z',
	toDate: '2030-01-01T00:00:00Z',
};

/** A Get Many of the export node: everything in the range, with all fields. */
const list = (resource: string, operation = 'getAll'): INodeParameters => {
	return { resource, operation, returnAll: true, output: 'raw', ...RANGE };
};

/** Get Many of all conversations. */
export const GET_ALL = list('conversation');

/** The lists, by the arrays of the response that they read: recordings without a conversation are in two. */
export const LISTS = {
	conversations: GET_ALL,
	missing: list('recording', 'getMissing'),
	teams: list('team'),
	users: list('user'),
};

/** For a describe block: a server that responds by a script, and Get Many of all conversations, or what the parameters say instead. */
export function scriptedExport(apiKey?: string) {
	const { server, engine } = scriptedEngine([ConversationIntelligence], apiKey);
	const run = async (parameters: object = {}, options: Parameters<Engine['runNode']>[2] = {}) =>
		await engine.runNode('conversationIntelligence', { ...GET_ALL, ...parameters }, options);
	return { server, engine, run };
}
