import type { INode } from 'n8n-workflow';
import { exampleWorkflows } from '../../../harness/workflows';
import { NODES } from '../../../scripts/parametersPage';
import { unknownNames, unknownPaths } from '../../support/exampleNames';

const DESCRIPTIONS = NODES.map((Node) => new Node().description);

const unknownIn = (node: INode) => {
	const name = node.type.split('.')[1];
	const description = DESCRIPTIONS.find((one) => one.name === name.replace(/Tool$/, ''));
	return description ? unknownNames(node, { ...description, name }) : [];
};

test.each(exampleWorkflows())(
	'$slug names no parameter, value or path that the nodes lack',
	({ workflow }) => {
		expect(workflow.nodes.flatMap(unknownIn)).toEqual([]);
		expect(unknownPaths(workflow)).toEqual([]);
	},
);
