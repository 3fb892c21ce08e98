import { NodeHelpers, type ICredentialType, type INodeType, type INodeTypes } from 'n8n-workflow';
import { ConversationExportApi } from '../../../credentials/ConversationExportApi.credentials';
import { CrmAppointmentApi } from '../../../credentials/CrmAppointmentApi.credentials';
import { name as PACKAGE_NAME } from '../../../package.json';

export { PACKAGE_NAME };

export type NodeClass = new () => INodeType;

/** The package's credential types by name. */
export const CREDENTIAL_TYPES: Record<string, ICredentialType> = Object.fromEntries(
	[new ConversationExportApi(), new CrmAppointmentApi()].map((type) => [type.name, type]),
);

/** Knows the nodes under test, and the tools that n8n makes of them. */
export class NodesUnderTest implements INodeTypes {
	private readonly types: Map<string, INodeType>;

	constructor(nodes: NodeClass[]) {
		const types = nodes.map((Node) => new Node());
		this.types = new Map(types.map((type) => [`${PACKAGE_NAME}.${type.description.name}`, type]));
	}

	getByName(name: string): INodeType {
		const type = this.types.get(name) ?? this.toolOf(name);
		if (!type) throw new Error(`"${name}" is not under test.`);
		return type;
	}

	/** The type that n8n adds for a node that is usable as a tool. */
	private toolOf(name: string): INodeType | undefined {
		const type = this.types.get(name.replace(/Tool$/, ''));
		if (!type?.description.usableAsTool || !name.endsWith('Tool')) return undefined;
		const description = { ...type.description, name: `${type.description.name}Tool` };
		return Object.assign(Object.create(type) as INodeType, { description });
	}

	getByNameAndVersion(name: string, version?: number): INodeType {
		return NodeHelpers.getVersionedNodeType(this.getByName(name), version);
	}

	getKnownTypes() {
		return {};
	}
}
