import type { INodeTypeDescription } from 'n8n-workflow';

/** Shown in the panel while the node waits for its first event. */
export const triggerPanel: INodeTypeDescription['triggerPanel'] = {
	header: 'Receive processed conversations',
	executionsHelp: {
		inactive:
			'<b>While you build</b>, click Execute step, paste the <b>Test URL</b> into a webhook subscription in the web app and click Send test there: the sample shows up here, with some values empty, and the web app shows status 200.<br /><br /><b>When you are done</b>, publish the workflow and change the subscription to the <b>Production URL</b>. Send test shows 200 again; it starts the workflow only if Test is among the events. Production runs show up in the executions list, not here.',
		active:
			'<b>While you build</b>, click Execute step, paste the <b>Test URL</b> into a webhook subscription in the web app and click Send test there: the sample shows up here.<br /><br /><b>The workflow is published</b>: deliveries to the <b>Production URL</b> start it. They show up in the executions list, not here.',
	},
	activationHint:
		'Publish the workflow, then paste the Production URL into a webhook subscription in the web app (admin role). It must start with https://. Save the same signing secret in both places; a subscription takes at most five custom headers.',
};

export const activationMessage =
	'The Production URL now takes deliveries. In the web app, a webhook subscription must hold that URL and the signing secret of the credential; click Send test there: status 200 means that both fit.';

export const eventTriggerDescription =
	'Waiting for a delivery at the Test URL: click Send test in the web app';
