import type { INodeParameters } from 'n8n-workflow';
import type { Sandbox } from '../../../../sandbox';
import { mappedByHand } from '../../../support/columns';

/** One operation, with parameters that succeed without a fault. */
export interface Operation {
	title: string;
	node: 'conversationIntelligence' | 'conversationIntelligenceAppointments';
	parameters: (sandbox: Sandbox) => INodeParameters;
	/** Start of the paths of its own requests, to which a fault applies. */
	path: string;
	isDelete?: boolean;
}

/** Raw, so that unknown fields are visible. */
const EVERYTHING: INodeParameters = {
	dateRange: 'custom',
	fromDate: '2020-01-01T00:00:00Z',
	toDate: '2030-01-01T00:00:00Z',
	returnAll: true,
	output: 'raw',
};

/** The existing appointment that is updated and matched. */
export const EVENT_ID = 'visit-1';

const conversationId = ({ control }: Sandbox) => control.conversationIds(0, 1)[0];
const byId = (sandbox: Sandbox, more: INodeParameters = {}) => ({
	conversationId: { __rl: true, mode: 'id', value: conversationId(sandbox) },
	...more,
});

const exported = (
	title: string,
	choice: string,
	path: string,
	parameters: Operation['parameters'] = () => EVERYTHING,
): Operation => {
	const [resource, operation] = choice.split('/');
	return {
		...{ title, path, node: 'conversationIntelligence' },
		parameters: (sandbox) => ({ resource, operation, ...parameters(sandbox) }),
	};
};

const appointment = (
	title: string,
	operation: string,
	path: string,
	parameters: Operation['parameters'],
): Operation => ({
	...{ title, path: `/crm/custom/appointment${path}`, node: 'conversationIntelligenceAppointments' },
	parameters: (sandbox) => ({ resource: 'appointment', operation, ...parameters(sandbox) }),
	isDelete: operation === 'delete',
});

const PAGES = '/data/export/conversations';
const NEW = {
	event_id: 'visit-2',
	start_time: '2026-03-01T10:00:00Z',
	end_time: '2026-03-01T11:00:00Z',
	title: 'Visit',
	customer_id: 'c-1',
	customer_name: 'Ada Kim',
};
const CHANGE = { event_id: EVENT_ID, title: 'Another visit' };
const columns = (value: object) => (sandbox: Sandbox) => {
	const user_email = sandbox.control.users().find(({ records }) => records)!.email;
	return { columns: mappedByHand({ ...value, user_email, attendee_emails: user_email }) };
};

export const operations: Operation[] = [
	exported('Conversation: Get', 'conversation/get', `${PAGES}/`, (sandbox) =>
		byId(sandbox, { output: 'raw' }),
	),
	exported('Conversation: Get Many', 'conversation/getAll', PAGES),
	exported('Conversation: Download Transcript', 'conversation/downloadTranscript', '/transcripts/', byId),
	exported('Conversation: Download Audio', 'conversation/downloadAudio', '/audio/', byId),
	exported('Recording: Get Missing', 'recording/getMissing', PAGES),
	exported('Team: Get Many', 'team/getAll', '/data/export/teams'),
	exported('User: Get Many', 'user/getAll', '/data/export/users'),
	appointment('Appointment: Create or Update', 'upsert', '', columns(NEW)),
	appointment('Appointment: Update', 'update', '', columns(CHANGE)),
	appointment('Appointment: Delete', 'delete', '/', () => ({ eventId: 'visit-3' })),
	appointment('Appointment: Match Conversation', 'match', '/match', (sandbox) => ({
		eventId: EVENT_ID,
		conversationId: conversationId(sandbox),
	})),
];
