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

const range: INodeParameters = {
	dateRange: 'custom',
	fromDate: '2020-01-01T00:00:00Z',
	toDate: '2030-01-01T00:00:00Z',
};

/** Raw, so that unknown fields are visible. */
const everything: INodeParameters = { ...range, returnAll: true, output: 'raw' };

const firstConversation = ({ control }: Sandbox): INodeParameters => ({
	conversationId: { __rl: true, mode: 'id', value: control.conversationIds(0, 1)[0] },
});

const exported = (
	kind: Kind,
	title: string,
	path: string,
	resource: string,
	operation: string,
	parameters: Operation['parameters'] = () => everything,
): Operation => ({
	kind,
	title,
	node: 'conversationIntelligence',
	path,
	parameters: (sandbox) => ({ resource, operation, ...parameters(sandbox) }),
});

/** The existing appointment that is deleted, updated and matched. */
export const EVENT_ID = 'visit-1';

const appointment = (
	kind: Kind,
	title: string,
	path: string,
	operation: string,
	parameters: Operation['parameters'],
): Operation => ({
	kind,
	title,
	node: 'conversationIntelligenceAppointments',
	path: `/crm${path}`,
	parameters: (sandbox) => ({ resource: 'appointment', operation, ...parameters(sandbox) }),
});

const columns = (value: INodeParameters): INodeParameters => ({ columns: mappedByHand(value) });

const userEmail = ({ control }: Sandbox) => control.users().find(({ records }) => records)!.email;

export const operations: Operation[] = [
	exported('get', 'Conversation: Get', '/data/export/conversations/', 'conversation', 'get', (sandbox) => ({
		...firstConversation(sandbox),
		output: 'raw',
	})),
	exported(
		'list',
		'Conversation: Get Many',
		'/data/export/conversations',
		'conversation',
		'getAll',
		() => everything,
	),
	exported(
		'transcript',
		'Conversation: Download Transcript',
		'/transcripts/',
		'conversation',
		'downloadTranscript',
		firstConversation,
	),
	exported(
		'audio',
		'Conversation: Download Audio',
		'/audio/',
		'conversation',
		'downloadAudio',
		firstConversation,
	),
	exported(
		'list',
		'Recording: Get Awaiting Upload',
		'/data/export/conversations',
		'recording',
		'getAwaitingUpload',
		() => everything,
	),
	exported(
		'list',
		'Recording: Get Errored',
		'/data/export/conversations',
		'recording',
		'getErrored',
		() => everything,
	),
	exported('list', 'Team: Get Many', '/data/export/teams', 'team', 'getAll', () => everything),
	exported('list', 'User: Get Many', '/data/export/users', 'user', 'getAll', () => everything),
	appointment('write', 'Appointment: Create or Update', '/custom/appointment', 'upsert', (sandbox) =>
		columns({
			event_id: 'visit-2',
			user_email: userEmail(sandbox),
			start_time: '2026-03-01T10:00:00Z',
			end_time: '2026-03-01T11:00:00Z',
			title: 'Visit',
			customer_id: 'c-1',
			customer_name: 'Ada Kim',
		}),
	),
	appointment('write', 'Appointment: Update', '/custom/appointment', 'update', (sandbox) =>
		columns({ event_id: EVENT_ID, user_email: userEmail(sandbox), title: 'Another visit' }),
	),
	appointment('delete', 'Appointment: Delete', '/custom/appointment/', 'delete', () => ({
		eventId: 'visit-3',
	})),
	appointment(
		'write',
		'Appointment: Match Conversation',
		'/custom/appointment/match',
		'match',
		(sandbox) => ({
			eventId: EVENT_ID,
			conversationId: sandbox.control.conversationIds(0, 1)[0],
		}),
	),
];
