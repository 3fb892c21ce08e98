/**
 * Runs the package's nodes on the real n8n-core engine in this process: with real contexts, HTTP helpers,
 * expressions and binary storage, but without a server or database.
 */
import 'reflect-metadata';
import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { IBinaryData, INodeParameters } from 'n8n-workflow';
import { createHost, type CredentialValues, type NodeClass } from './host';
import { runNode, type NodeRun, type RunOptions } from './runNode';
import { callTriggers } from './triggers';

export type { NodeClass } from './host';
export type { NodeRun } from './runNode';

/** n8n 2.36 does not keep an error's `failure`, because it lacks the scheduler that reads it. */
export const KEEPS_FAILURE = process.env.TEST_VERSIONS !== 'n8n-oldest';

export type Engine = Awaited<ReturnType<typeof createEngine>>;

/** @param nodes the classes of the nodes under test */
export async function createEngine(nodes: NodeClass[], credentials: CredentialValues = {}) {
	await Container.get(BinaryDataService).init();
	const host = createHost(nodes, credentials);
	return {
		...callTriggers(host),

		nodeType: host.nodeType,

		async runNode(type: string, parameters: INodeParameters, options: RunOptions = {}): Promise<NodeRun> {
			return await runNode(host, type, parameters, options);
		},

		/** Reads the bytes of an output item's binary property. */
		async binary(data: IBinaryData): Promise<Buffer> {
			return await Container.get(BinaryDataService).getAsBuffer(data);
		},
	};
}
