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
	const save = async (type: string, name: string, data: Record<string, string>) =>
		await client.saveCredential(type, { ...data, apiKey: key }, `${name} of the local service`);
	const ofExport = { baseUrl: sandbox.exportUrl, signingSecret: SIGNING_SECRET };
	await save('conversationExportApi', 'Conversation Export API', ofExport);
	await save('crmAppointmentApi', 'CRM Appointment API', { baseUrl: sandbox.crmUrl });
}
