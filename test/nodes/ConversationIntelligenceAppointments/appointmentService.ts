import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { ConversationIntelligenceAppointments } from '../../../nodes/ConversationIntelligenceAppointments/ConversationIntelligenceAppointments.node';
import { ConversationIntelligence } from '../../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import { createEngine } from '../../support/engine';
import { sandboxEngine } from '../../support/engine/fixtures';
import { automatic, CREATE, runAppointments } from './mapping';

/** For a describe block: the node with a service that enforces the rules of D2. */
export function appointmentService(options: Parameters<typeof sandboxEngine>[1] = { conversations: 60 }) {
	const { sandbox, engine } = sandboxEngine(
		[ConversationIntelligenceAppointments, ConversationIntelligence],
		options,
	);

	/** Email addresses of active users. */
	const people = () =>
		sandbox.control
			.users()
			.filter(({ isRemoved, isHidden }) => !isRemoved && !isHidden)
			.map(({ email }) => email);

	/** Runs the node once over the rows, with the organization's key unless another is given. */
	const run = async (parameters: INodeParameters, rows?: IDataObject[], apiKey?: string) => {
		const credential = { baseUrl: sandbox.crmUrl, apiKey: apiKey ?? sandbox.keys.organization };
		return await runAppointments(
			await createEngine([ConversationIntelligenceAppointments], { crmAppointmentApi: credential }),
			parameters,
			rows,
		);
	};

	return {
		sandbox,
		engine,
		people,
		run,
		/** Create or Update, mapped automatically. */
		upsert: async (rows: IDataObject[], more: INodeParameters = {}) => await run(automatic(more), rows),
		/** A row with every field that a new appointment needs. */
		appointment: (event_id: string, more: IDataObject = {}): IDataObject => ({
			...CREATE,
			event_id,
			user_email: people()[0],
			...more,
		}),
		stored: (eventId: string) => sandbox.control.appointments().find(({ event_id }) => event_id === eventId),
	};
}
