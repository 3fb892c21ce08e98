import {
	Workflow,
	type IDataObject,
	type INode,
	type INodeParameters,
	type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { plainCredentials, type CredentialValues } from './credentialsHelper';
import { CREDENTIAL_TYPES, NodesUnderTest, PACKAGE_NAME, type NodeClass } from './nodeTypes';

export type Host = ReturnType<typeof createHost>;

/**
 * Creates a node's surroundings: its type, a workflow with only this node, credentials and addresses.
 *
 * @param nodes the classes of the nodes under test
 * @param credentials values by credential type, which each node gets
 */
export function createHost(nodes: NodeClass[], credentials: CredentialValues) {
	const nodeTypes = new NodesUnderTest(nodes);
	const credentialsHelper = plainCredentials(CREDENTIAL_TYPES, credentials);

	const createNode = (type: string, parameters: INodeParameters, more: Partial<INode> = {}): INode => ({
		id: 'node-under-test',
		name: 'Node',
		type: `${PACKAGE_NAME}.${type}`,
		typeVersion: 1,
		position: [0, 0],
		parameters,
		credentials: Object.fromEntries(Object.keys(credentials).map((name) => [name, { id: name, name }])),
		...more,
	});

	const createWorkflow = (
		node: INode,
		{ timezone = 'UTC', id = 'workflow' } = {},
		staticData?: IDataObject,
	) =>
		new Workflow({
			id,
			nodes: [node],
			connections: {},
			nodeTypes,
			active: true,
			staticData,
			settings: { executionOrder: 'v1', timezone },
		});

	const additionalData = (more: object = {}) =>
		({
			credentialsHelper,
			executionId: '1',
			webhookWaitingBaseUrl: 'http://localhost/webhook-waiting',
			formWaitingBaseUrl: 'http://localhost/form-waiting',
			variables: {},
			setExecutionStatus() {},
			sendDataToUI() {},
			...more,
		}) as unknown as IWorkflowExecuteAdditionalData;

	const nodeType = (type: string) => nodeTypes.getByNameAndVersion(`${PACKAGE_NAME}.${type}`);

	return { nodeType, createNode, createWorkflow, additionalData };
}
