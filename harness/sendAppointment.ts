import type { Sandbox } from '../sandbox';

/** Sends an appointment like a CRM would. @throws Error when the sandbox refuses it */
export const sendAppointment = async (sandbox: Sandbox, body: object) => await send(sandbox, '', body);

/** Links a conversation with an appointment, as the service's web app does. @throws Error when the sandbox refuses it */
export const matchConversation = async (sandbox: Sandbox, event_id: string, conversation_id: string) =>
	await send(sandbox, '/match', { event_id, conversation_id });

async function send({ crmUrl, keys }: Sandbox, path: string, body: object): Promise<void> {
	const response = await fetch(`${crmUrl}/custom/appointment${path}`, {
		method: 'POST',
		headers: { 'x-api-key': keys.organization, 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	if (!response.ok)
		throw new Error(`The sandbox refused the appointment (${response.status}): ${await response.text()}`);
}

export const activeUsers = ({ control }: Sandbox): string[] =>
	control.users().flatMap(({ isRemoved, isHidden, email }) => (isRemoved || isHidden ? [] : [email]));

/** An appointment for tomorrow. */
export function appointment(sandbox: Sandbox, number: number, more: object = {}) {
	const [rep] = sandbox.control.users().filter(({ records }) => records);
	const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
	return {
		event_id: `visit-${1000 + number}`,
		user_email: rep.email,
		start_time: `${day} ${String(9 + number).padStart(2, '0')}:00:00`,
		end_time: `${day} ${String(10 + number).padStart(2, '0')}:00:00`,
		title: ['Roof inspection', 'Solar consultation', 'Window estimate'][number % 3],
		customer: { id: `c-${number}`, name: ['Ada Kim', 'Noor Haddad', 'Luis Ortega'][number % 3] },
		...more,
	};
}
