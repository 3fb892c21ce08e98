import type { INode, INodeParameters, ResourceMapperFields } from 'n8n-workflow';
import { errorOf } from '../../../harness/n8n/execution';
import { startTestbed, type Testbed } from '../testbed';
import { agentWorkflow } from './agentWorkflow';
import { ScriptedModel, type ToolCall } from './scriptedModel';

/** A testbed with a scripted language model and the AI Agent node. */
export interface AgentTestbed extends Testbed {
	model: ScriptedModel;
	/** Email addresses of two users who can attend an appointment. */
	people: string[];
	/**
	 * Runs an agent with these tools. Its model makes these calls one by one.
	 *
	 * @returns the text that the model received for each call
	 */
	converse(tools: INode[], ...calls: ToolCall[]): Promise<string[]>;
}

/** Starts n8n, the local service with 60 conversations, and the model. */
export async function startAgentTestbed(): Promise<AgentTestbed> {
	const model = await ScriptedModel.start();
	const testbed = await startTestbed({ conversations: 60 }).catch(async (error: unknown) => {
		await model.close();
		throw error;
	});
	const { n8n, sandbox } = testbed;
	await n8n.client.saveCredential('openAiApi', { apiKey: 'playground', url: model.url });
	return {
		...testbed,
		model,
		people: activeUsers(sandbox).slice(0, 2),
		async converse(tools, ...calls) {
			model.script(calls);
			const execution = await n8n.client.run(
				await n8n.client.importWorkflow(agentWorkflow(model.url, tools)),
			);
			expect(errorOf(execution)).toBeUndefined();
			return model.responses;
		},
		async stop() {
			await model.close();
			await testbed.stop();
		},
	};
}

/** Email addresses of users who can attend an appointment. */
function activeUsers({ control }: Testbed['sandbox']): string[] {
	return control
		.users()
		.filter(({ isRemoved, isHidden }) => !isRemoved && !isHidden)
		.map(({ email }) => email);
}

/** The fields of an appointment tool as the editor fills them when the tool is added: each defined by the model. */
export async function fieldsDefinedByModel(
	{ n8n }: Pick<Testbed, 'n8n'>,
	operation: 'update' | 'upsert',
): Promise<INodeParameters> {
	const name = 'n8n-nodes-conversation-intelligence.conversationIntelligenceAppointmentsTool';
	const { fields } = await n8n.client.session.rest<ResourceMapperFields>(
		'POST',
		'/dynamic-node-parameters/resource-mapper-fields',
		{
			path: 'parameters.columns',
			methodName: 'getAppointmentFields',
			nodeTypeAndVersion: { name, version: 1 },
			currentNodeParameters: { resource: 'appointment', operation },
		},
	);
	return Object.fromEntries(fields.map(({ id, defaultValue }) => [id, String(defaultValue)]));
}
