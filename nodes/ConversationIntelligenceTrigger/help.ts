import type { INodeTypeDescription } from 'n8n-workflow';

const WHILE_YOU_BUILD =
	"<b>While you build</b>, click Execute step, paste the <b>Test URL</b> into a webhook subscription in your conversation service's web app and click Send test there. The sample appears here; some of its values are empty.";

/** Shown in the panel while the node waits for its first event. */
export const triggerPanel: INodeTypeDescription['triggerPanel'] = {
	header: 'Receive processed conversations',
	executionsHelp: {
		inactive: `${WHILE_YOU_BUILD}<br /><br /><b>When you are done</b>, publish the workflow and change the subscription to the <b>Production URL</b>. Production executions appear in the executions list, not here.`,
		active: `${WHILE_YOU_BUILD}<br /><br /><b>The workflow is published</b>: deliveries to the <b>Production URL</b> start it. They appear in the executions list, not here.`,
	},
	activationHint:
		'Publish the workflow, then paste the Production URL and the signing secret into a webhook subscription.',
};

export const activationMessage =
	'Paste the Production URL and the signing secret into a webhook subscription, then click Send test there: 200 means ready.';

export const eventTriggerDescription = "Click Send test in your conversation service's web app";
