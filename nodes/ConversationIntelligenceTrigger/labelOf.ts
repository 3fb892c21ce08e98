import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { plainText } from '../shared/errors/text';

/** Where a log entry comes from. */
export function labelOf(context: IHookFunctions | IWebhookFunctions): IDataObject {
	return { workflowId: context.getWorkflow().id, nodeName: plainText(context.getNode().name) };
}

/** Tells the triggers of a process apart. */
export function keyOf(context: IWebhookFunctions): string {
	return `${context.getWorkflow().id}/${context.getNode().id}`;
}
