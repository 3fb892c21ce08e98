import { UserError, type IExecuteFunctions, type INodeProperties } from 'n8n-workflow';
import { MATCHED_BODY, matchRequestSchema, type MatchRequest } from '../../../shared/contract';
import { plainText, type AnswerRow } from '../answers';
import { pacingOptions, type AppointmentOperation } from '../appointmentOperation';
import { appointmentRequest } from '../appointmentRequest';
import { eventIdProperty, readEventId } from '../eventId';

const properties: INodeProperties[] = [
	eventIdProperty,
	{
		displayName: 'Conversation ID',
		name: 'conversationId',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 3f2b8c1e-5d7a-4c66-9b1f-0a2d4e6f8a10',
		description:
			'ID of the processed conversation, a UUID, e.g. from the Conversation Export node. An earlier link of the appointment is overwritten.',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: pacingOptions,
	},
];

/** The exact bodies of a match and their causes (D2 § Errors). */
const ANSWERS: AnswerRow[] = [
	{
		status: 400,
		message: 'The service does not accept the match request',
		advice: 'Check Event ID and Conversation ID.',
	},
	{
		status: 404,
		body: 'Event not found',
		message: 'No appointment has this Event ID',
		advice:
			'Check the Event ID, and create the appointment before matching: an ID of another organization is answered the same way.',
	},
	{
		status: 404,
		body: 'Conversation not found',
		message: 'No conversation has this Conversation ID',
		advice: 'Check the Conversation ID: a conversation of another organization is answered the same way.',
	},
	{
		status: 422,
		body: 'Conversation has no recording to link',
		message: 'The conversation has no recording to link',
		advice: 'Choose a conversation that was recorded.',
	},
	{
		status: 422,
		body: "Conversation's recording could not be found to link",
		message: "The conversation's recording could not be found to link",
		advice: 'The conversation names a recording that is gone. Choose another conversation.',
	},
];

/** Links a conversation to an appointment (D2 § POST /custom/appointment/match). */
export const matchConversation: AppointmentOperation = {
	option: {
		name: 'Match Conversation',
		value: 'match',
		action: 'Match a conversation to an appointment',
		description: 'Link an existing conversation to an existing appointment',
	},
	properties,
	start(context) {
		const hintOnce = otherWordsHint(context);
		return (itemIndex) => {
			const eventId = readEventId(context, itemIndex);
			const ids: MatchRequest = {
				event_id: eventId,
				conversation_id: readConversationId(context, itemIndex),
			};
			return {
				eventId,
				async send(pace) {
					const { status, body } = await appointmentRequest(context, {
						method: 'POST',
						path: '/match',
						body: ids,
						itemIndex,
						pace,
						answers: ANSWERS,
					});
					const answer = plainText(body);
					if (answer !== MATCHED_BODY) hintOnce(itemIndex);
					return { matched: true, ...ids, status, answer };
				},
			};
		};
	},
};

/**
 * Every failure has a status of its own (D2 § Errors), so a 2xx in other words than the document's stays a success; but
 * something else than the service may have said it. Told once a run.
 */
function otherWordsHint(context: IExecuteFunctions): (itemIndex: number) => void {
	let told = false;
	return (itemIndex) => {
		if (told) return;
		told = true;
		context.addExecutionHints({
			message: `The match was confirmed in other words than the document's "${MATCHED_BODY}" [Item ${itemIndex}]. See "answer" in the item, and check in the web app whether the conversation is linked.`,
			location: 'outputPane',
			type: 'warning',
		});
	};
}

function readConversationId(context: IExecuteFunctions, itemIndex: number): string {
	const id = String(context.getNodeParameter('conversationId', itemIndex, '') ?? '').trim();
	if (matchRequestSchema.shape.conversation_id.safeParse(id).success) return id;
	throw new UserError(
		id === ''
			? 'Conversation ID is empty. Supply the ID of a conversation, a UUID such as 3f2b8c1e-5d7a-4c66-9b1f-0a2d4e6f8a10.'
			: `Conversation ID "${id}" is not a UUID. Supply the ID of a conversation as the Conversation Export node gives it.`,
	);
}
