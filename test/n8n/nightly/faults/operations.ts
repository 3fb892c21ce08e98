import type { INodeParameters } from 'n8n-workflow';
import type { Sandbox } from '../../../../sandbox';
import { mappedByHand } from '../../../support/columns';
import type { Kind } from './faults';

/** One operation, with parameters that succeed without a fault. */
export interface Operation {
	title: string;
	kind: Kind;
	node: 'conversationIntelligence' | 'conversationIntelligenceAppointments';
	parameters: (sandbox: Sandbox) => INodeParameters;
	/** Start of the paths of its own requests, to which a fault applies. */
	path: string;
}

/** Raw, so that unknown fields are visible. */
const EVERYTHING: INodeParameters = {
	dateRange: 'custom',
	fromDate: '2020-01-01T00:00:00Z',
	toDate: '2030-01-01T00:00:00Z',
	returnAll: true,
	output: 'raw',
};

/** The existing appointment that is deleted, updated and matched. */
export const EVENT_ID = 'visit-1';

const conversationId = ({ control }: Sandbox) => control.conversationIds(0, 1)[0];
const user_email = ({ control }: Sandbox) => control.users().find(({ records }) => records)!.email;

/** An operation of the export, with the conversation that {@link conversationId} names. */
const exported = (kind: Kind, title: string, choice: string, path: string, more = {}): Operation => {
	const [resource, operation] = choice.split('/');
	return {
		...{ kind, title, path, node: 'conversationIntelligence' },
		parameters: (sandbox) => {
			const byId = { __rl: true, mode: 'id', value: conversationId(sandbox) };
			return { resource, operation, ...(kind === 'list' ? EVERYTHING : { conversationId: byId }), ...more };
		},
	};
};

const appointment = (
	kind: Kind,
	title: string,
	operation: string,
	path: string,
	parameters: Operation['parameters'],
): Operation => ({
	...{ kind, title, path: `/crm/custom/appointment${path}`, node: 'conversationIntelligenceAppointments' },
	parameters: (sandbox) => ({ resource: 'appointment', operation, ...parameters(sandbox) }),
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
const columns = (value: object) => (sandbox: Sandbox) => ({
	columns: mappedByHand({
		...value,
		user_email: user_email(sandbox),
		attendee_emails: user_email(sandbox),
	}),
});

export const operations: Operation[] = [
	exported('get', 'Conversation: Get', 'conversation/get', `${PAGES}/`, { output: 'raw' }),
	exported('list', 'Conversation: Get Many', 'conversation/getAll', PAGES),
	exported(
		'transcript',
		'Conversation: Download Transcript',
		'conversation/downloadTranscript',
		'/transcripts/',
	),
	exported('audio', 'Conversation: Download Audio', 'conversation/downloadAudio', '/audio/'),
	exported('list', 'Recording: Get Missing', 'recording/getMissing', PAGES),
	exported('list', 'Team: Get Many', 'team/getAll', '/data/export/teams'),
	exported('list', 'User: Get Many', 'user/getAll', '/data/export/users'),
	appointment('write', 'Appointment: Create or Update', 'upsert', '', columns(NEW)),
	appointment('write', 'Appointment: Update', 'update', '', columns(CHANGE)),
	appointment('delete', 'Appointment: Delete', 'delete', '/', () => ({ eventId: 'visit-3' })),
	appointment('write', 'Appointment: Match Conversation', 'match', '/match', (sandbox) => ({
		eventId: EVENT_ID,
		conversationId: conversationId(sandbox),
	})),
];
