import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { startSandbox } from '../../../sandbox';
import { createEngine } from '../../support/engine';
import { automatic } from './mapping';

export type AppointmentService = Awaited<ReturnType<typeof startAppointmentService>>;

/** The Conversation Intelligence Appointments node with a service that enforces the rules of D2. */
export async function startAppointmentService() {
	const sandbox = await startSandbox({ conversations: 60 });
	const engineFor = async (apiKey: string) =>
		await createEngine({ crmAppointmentApi: { baseUrl: sandbox.crmUrl, apiKey } });
	const engine = await engineFor(sandbox.keys.organization);
	/** Email addresses of active users. */
	const people = sandbox.control
		.users()
		.filter(({ isRemoved, isHidden }) => !isRemoved && !isHidden)
		.map(({ email }) => email);

	/** Runs the node once over the rows, with the organization's key unless another is given. */
	const run = async (parameters: INodeParameters, rows: IDataObject[] = [{}], apiKey?: string) =>
		await (apiKey === undefined ? engine : await engineFor(apiKey)).runNode(
			'conversationIntelligenceAppointments',
			{ resource: 'appointment', ...parameters },
			{ input: rows.map((json) => ({ json })) },
		);

	return {
		sandbox,
		people,
		run,
		/** Create or Update, mapped automatically. */
		upsert: async (rows: IDataObject[], more: INodeParameters = {}) => await run(automatic(more), rows),
		/** A row with every field that a new appointment needs. */
		appointment: (event_id: string, more: IDataObject = {}): IDataObject => ({
			event_id,
			user_email: people[0],
			start_time: '2026-03-01T08:30:00-07:00',
			end_time: '2026-03-01T09:30:00-07:00',
			title: 'Roof inspection',
			customer_id: 'c-1',
			customer_name: 'Blue Door Ltd',
			...more,
		}),
		stored: (eventId: string) => sandbox.control.appointments().find(({ event_id }) => event_id === eventId),
		close: async () => await sandbox.close(),
	};
}
