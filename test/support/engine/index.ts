/**
 * Runs the package's nodes on the real n8n-core engine inside this process: real contexts, HTTP helpers,
 * expressions and binary storage; no server, no database, no mocks of the node context.
 */
import 'reflect-metadata';
import './userFolder';
import { Container } from '@n8n/di';
import { BinaryDataService, LoadOptionsContext } from 'n8n-core';
import type { IBinaryData, ILoadOptionsFunctions, INodeParameters } from 'n8n-workflow';
import type { CredentialValues } from './credentialsHelper';
import { createHost } from './host';
import { runNode, type NodeRun, type RunOptions } from './runNode';
import { callTriggers } from './triggers';

export type { NodeRun } from './runNode';
export { RecordedResponse } from './webhookExchange';

export type Engine = Awaited<ReturnType<typeof createEngine>>;

/**
 * @param credentials values by credential type; every node is given all of them
 */
export async function createEngine(credentials: CredentialValues = {}) {
	await Container.get(BinaryDataService).init();
	const host = createHost(credentials);
	return {
		...callTriggers(host),

		nodeType: (type: string) => host.nodeType(type),

		description: (type: string) => host.nodeType(type).description,

		/** Runs `execute()` of one node. */
		async runNode(type: string, parameters: INodeParameters, options: RunOptions = {}): Promise<NodeRun> {
			return await runNode(host, type, parameters, options);
		},

		/** The context in which n8n calls a node's list searches and option loaders. */
		loadOptions(type: string): ILoadOptionsFunctions {
			const node = host.createNode(type, {});
			return new LoadOptionsContext(host.createWorkflow(node), node, host.additionalData(), '');
		},

		/** The bytes behind a binary property of an output item. */
		async binary(data: IBinaryData): Promise<Buffer> {
			return await Container.get(BinaryDataService).getAsBuffer(data);
		},
	};
}
