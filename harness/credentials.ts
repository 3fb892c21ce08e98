import type { Sandbox } from '../sandbox';
import type { N8nClient } from './n8n/client';

/** The playground's webhook secret: the sandbox signs with it and the trigger verifies with it. */
export const SIGNING_SECRET = 'playground-signing-secret';

/** Creates both credentials for a sandbox, or updates them when its addresses or keys have changed. */
export async function saveSandboxCredentials(
	client: N8nClient,
	sandbox: Pick<Sandbox, 'exportUrl' | 'crmUrl' | 'keys'>,
	key: string = sandbox.keys.organization,
): Promise<void> {
	const exportFields = { baseUrl: sandbox.exportUrl, apiKey: key, signingSecret: SIGNING_SECRET };
	await client.saveCredential(
		'conversationExportApi',
		exportFields,
		'Conversation Export API of the local service',
	);
	const crmFields = { baseUrl: sandbox.crmUrl, apiKey: key };
	await client.saveCredential('crmAppointmentApi', crmFields, 'CRM Appointment API of the local service');
}
