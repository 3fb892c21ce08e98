import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

/** Where a log entry comes from. */
export function labelOf(context: IHookFunctions | IWebhookFunctions): IDataObject {
	return { workflowId: context.getWorkflow().id, nodeName: context.getNode().name };
}
