import { randomUUID } from 'node:crypto';
import type { INode, INodeParameters } from 'n8n-workflow';

/** A node in a test's workflow. */
export const workflowNode = (
	name: string,
	type: string,
	typeVersion: number,
	parameters: INodeParameters,
): INode => ({ id: randomUUID(), name, type, typeVersion, position: [0, 0], parameters });
