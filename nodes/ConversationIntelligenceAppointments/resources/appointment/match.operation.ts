import type { INodeProperties } from 'n8n-workflow';
import { conversationReference, readConversationId } from '../../../shared/exportApi/conversationId';
import type { Item } from '../../../shared/node/item';
import type { Operation } from '../../../shared/node/operation';
import { matchRequest } from '../../api';
import { appointmentRequest, type ResponseRow } from '../../sending/appointmentRequest';
import { limitRequests, optionsProperty } from '../../sending/runOptions';
import { SAME_CONVERSATION, warnOfSharedIds } from '../../sending/sharedIds';
import { eventIdProperty, readEventId } from '../../mapping/eventId';

/** Without a list: this node has no key of the export. */
const conversationLocator: INodeProperties = {
	displayName: 'Conversation',
	name: 'conversationId',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'id', value: '' },
	description:
		'The conversation to link, by its ID or its link in the web app. Its earlier link is overwritten.',
	...conversationReference,
};

/** The body of a successful match (D2 § POST /custom/appointment/match). */
const MATCHED = /^Successfully matched conversation to event$/;

/** The exact bodies of a match and their causes (D2 § Errors). */
const RESPONSES: ResponseRow[] = [
	{ status: 400, code: 'match_refused' },
	{ status: 404, body: 'Event not found', code: 'appointment_not_found' },
	{ status: 404, body: 'Conversation not found', code: 'conversation_not_found' },
	{ status: 422, body: 'Conversation has no recording to link', code: 'conversation_without_recording' },
	{ status: 422, body: "Conversation's recording could not be found to link", code: 'recording_gone' },
];

/** Links a conversation to an appointment (D2 § POST /custom/appointment/match). */
export const matchConversation: Operation<ReturnType<typeof read>> = {
	option: {
		name: 'Match Conversation',
		value: 'match',
		action: 'Match conversation',
		description: 'Link a recorded conversation to an existing appointment',
	},
	properties: [eventIdProperty, conversationLocator, optionsProperty()],
	read,
	key: ({ id }) => id,
	afterRead: (inputs) => warnOfSharedIds(inputs, SAME_CONVERSATION),
	async execute(item, { ids, warnings }) {
		const response = await appointmentRequest(item, RESPONSES, matchRequest(ids));
		const json = { matched: true, ...ids, ...response };
		// Failures have their own statuses (D2 § Errors), so any other success counts, but may come from a proxy.
		if (MATCHED.test(response.response)) return [{ json: { ...json, warnings } }];
		if (!hinted.has(item.context)) item.hint(unexpected(item.suffix));
		hinted.add(item.context);
		return [{ json: { ...json, warnings: [unexpected(), ...warnings] } }];
	},
};

/** Executions that have a hint about an unexpected response: the first is enough. */
const hinted = new WeakSet<object>();

function read(item: Item) {
	const ids = { event_id: readEventId(item), conversation_id: readConversationId(item) };
	limitRequests(item);
	// The link belongs to the conversation (D2 § POST /custom/appointment/match); UUIDs ignore letter case.
	return { id: ids.conversation_id.toLowerCase(), what: ids.event_id, ids, warnings: [] as string[] };
}

function unexpected(item = ''): string {
	return `Matched, but the service returned an unexpected response${item}: see "response". Check your service's web app.`;
}
