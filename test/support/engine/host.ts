import { Credentials } from 'n8n-core';
import {
	NodeHelpers,
	Workflow,
	type ICredentialDataDecryptedObject,
	type ICredentialsHelper,
	type ICredentialType,
	type IDataObject,
	type IHttpRequestOptions,
	type INode,
	type INodeParameters,
	type INodeType,
	type INodeTypes,
	type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { ConversationExportApi } from '../../../credentials/ConversationExportApi.credentials';
import { CrmAppointmentApi } from '../../../credentials/CrmAppointmentApi.credentials';
import { name as PACKAGE_NAME } from '../../../package.json';

export type NodeClass = new () => INodeType;

export type CredentialValues = Record<string, ICredentialDataDecryptedObject>;

/** Creates a node's surroundings: its type, a workflow with only this node, credentials and addresses. */
export function createHost(nodes: NodeClass[], credentials: CredentialValues) {
	const nodeTypes = nodeTypesOf(nodes);
	const credentialsHelper = plainCredentials(credentials);

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
	) => {
		const settings = { executionOrder: 'v1', timezone } as const;
		const saved = { id, nodes: [node], connections: {}, active: true, staticData, settings };
		return new Workflow({ ...saved, nodeTypes });
	};

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

/** The nodes under test, and the tools that n8n makes of them. */
function nodeTypesOf(nodes: NodeClass[]): INodeTypes {
	const types = nodes.flatMap((Node) => {
		const type = new Node();
		const description = { ...type.description, name: `${type.description.name}Tool` };
		const tool = Object.assign(Object.create(type) as INodeType, { description });
		return type.description.usableAsTool ? [type, tool] : [type];
	});
	const getByName = (name: string) => {
		const type = types.find(({ description }) => `${PACKAGE_NAME}.${description.name}` === name);
		if (!type) throw new Error(`"${name}" is not under test.`);
		return type;
	};
	return {
		getByName,
		getByNameAndVersion: (name, version) => NodeHelpers.getVersionedNodeType(getByName(name), version),
		getKnownTypes: () => ({}),
	};
}

const CREDENTIAL_TYPES: ICredentialType[] = [new ConversationExportApi(), new CrmAppointmentApi()];

/** What n8n asks for credentials: returns plain values, not those of a database, and uses the credential's `authenticate`. */
function plainCredentials(values: CredentialValues) {
	const helper: Partial<ICredentialsHelper> = {
		getParentTypes: () => [],
		preAuthentication: async () => undefined,
		getCredentialsProperties: () => [],
		isCredentialUsableByNode: () => true,
		async authenticate(data, typeName, options): Promise<IHttpRequestOptions> {
			const authenticate = CREDENTIAL_TYPES.find(({ name }) => name === typeName)?.authenticate;
			if (typeof authenticate !== 'function') throw new Error(`"${typeName}" has no authenticate function.`);
			return await authenticate(data, options as IHttpRequestOptions);
		},
		getCredentials: async ({ id, name }, type) => new Credentials({ id, name }, type, ''),
		async getDecrypted(_additionalData, _details, type) {
			if (!values[type]) throw new Error(`The test has no values for the credential "${type}".`);
			return { ...values[type] };
		},
	};
	return helper as ICredentialsHelper;
}
