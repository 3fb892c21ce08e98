import type { INodeProperties } from 'n8n-workflow';
import { conversationReference, readConversationId } from '../../../shared/exportApi/conversationId';
import type { Operation } from '../../../shared/node/operation';
import { postMatch } from '../../api';
import { eventIdProperty, readEventId } from '../../mapping/eventId';
import { common, optionsProperty, readCommon } from '../../requestOptions';
import { compareItems, sentencesOf, type KeyedInput } from '../../warnings';

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
const MATCHED = 'Successfully matched conversation to event';

interface MatchInput extends KeyedInput {
	ids: { event_id: string; conversation_id: string };
}

/** Links a conversation to an appointment (D2 § POST /custom/appointment/match). */
export const match: Operation<MatchInput> = {
	option: {
		name: 'Match Conversation',
		value: 'match',
		action: 'Match conversation',
		description: 'Link a recorded conversation to an existing appointment',
	},
	properties: [eventIdProperty, conversationLocator, optionsProperty()],
	read(item) {
		const ids = { event_id: readEventId(item), conversation_id: readConversationId(item) };
		// The link belongs to the conversation (D2 § POST /custom/appointment/match); UUIDs ignore letter case.
		const key = ids.conversation_id.toLowerCase();
		return { ...readCommon(item), key, value: ids.event_id, ids };
	},
	...common,
	afterRead: (inputs) => compareItems(inputs, 'conversation_shared'),
	async execute(item, { ids, warnings }) {
		const { status, response } = await postMatch(item, ids);
		// Failures have their own statuses (D2 § Errors), so any other success counts, but may come from a proxy.
		if (response !== MATCHED) warnings.match_unconfirmed = [response];
		return [{ json: { matched: true, ...ids, status, response, warnings: sentencesOf(warnings) } }];
	},
};
