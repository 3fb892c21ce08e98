import type { Sandbox } from '../../sandbox';

/** Links a conversation with an appointment, as the service's web app does. */
export async function matchConversation(
	{ crmUrl, keys }: Sandbox,
	event_id: string,
	conversation_id: string,
): Promise<void> {
	const response = await fetch(`${crmUrl}/custom/appointment/match`, {
		method: 'POST',
		headers: { 'x-api-key': keys.organization, 'content-type': 'application/json' },
		body: JSON.stringify({ event_id, conversation_id }),
	});
	if (!response.ok) throw new Error(await response.text());
}
