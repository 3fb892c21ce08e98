import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	NodeHelpers,
	type ICredentialType,
	type INodeType,
	type INodeTypes,
	type IVersionedNodeType,
} from 'n8n-workflow';

const ROOT = join(__dirname, '..', '..', '..');

/** The package's manifest, which lists the nodes and credentials to load. */
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
	name: string;
	n8n: { nodes: string[]; credentials: string[] };
};

export const PACKAGE_NAME = manifest.name;

/** Loads a class from its TypeScript source, so that engine tests do not need a build. */
function loadSource<Type>(built: string): Type {
	const source = join(ROOT, built.replace(/^dist\//, '').replace(/\.js$/, ''));
	// eslint-disable-next-line @typescript-eslint/no-require-imports -- the list is read from the manifest at run time
	const exported = require(source) as Record<string, new () => Type>;
	const [Class] = Object.values(exported);
	return new Class();
}

/** The package's nodes by `<package>.<node>`. */
export class SourceNodeTypes implements INodeTypes {
	private readonly types = new Map(
		manifest.n8n.nodes.map((built) => {
			const type = loadSource<INodeType>(built);
			return [`${PACKAGE_NAME}.${type.description.name}` as string, type] as const;
		}),
	);

	getByName(name: string): INodeType | IVersionedNodeType {
		const type = this.types.get(name) ?? this.toolOf(name);
		if (!type) throw new Error(`The manifest has no node "${name}".`);
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

/** The package's credential types by name. */
export function loadCredentialTypes(): Record<string, ICredentialType> {
	const types = manifest.n8n.credentials.map((built) => loadSource<ICredentialType>(built));
	return Object.fromEntries(types.map((type) => [type.name, type]));
}
