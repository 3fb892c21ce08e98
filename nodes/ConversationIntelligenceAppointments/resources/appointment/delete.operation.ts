import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from '../../../shared/operation';
import type { ServiceAnswer } from '../../../shared/transport';
import { plainText, type AnswerRow } from '../../sending/answers';
import { appointmentRun, pacingOptions } from '../../sending/appointmentRun';
import { appointmentRequest } from '../../sending/appointmentRequest';
import { eventIdProperty, readEventId, toPathSegment } from '../../mapping/eventId';

const properties: INodeProperties[] = [
	eventIdProperty,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			...pacingOptions,
			{
				displayName: 'Treat Missing as Deleted',
				name: 'missingIsDeleted',
				type: 'boolean',
				default: false,
				description: 'Whether to count an appointment that does not exist as deleted',
			},
		],
	},
];

/** D2 shows no body for it: whatever is neither the gateway's own nor a web page. */
const IS_MISSING = /^(?!\s*<)(?!.*No matching route)/s;

/** What DELETE answers (D2 § DELETE /custom/appointment/{id}). */
const ANSWERS: AnswerRow[] = [
	{
		status: 400,
		message: 'The service does not accept this Event ID',
		advice: 'Check the Event ID: it must be the original ID that your system sent.',
	},
	{
		status: 404,
		body: IS_MISSING,
		message: 'No appointment has this Event ID',
		advice:
			'Check the Event ID: your own, not the internal ID of the service, and of the organization of this key. Turn on "Treat Missing as Deleted" if that is fine.',
	},
	{
		status: 409,
		message: 'The appointment has a linked recording and cannot be deleted',
		advice:
			'Repeating does not help. Keep the appointment, or have its recording removed in the web app first.',
	},
];

/** An appointment that is not there, as opposed to an address that is not there. */
function isMissing({ status, body }: ServiceAnswer): boolean {
	return status === 404 && IS_MISSING.test(body);
}

/** Deletes an appointment (D2 § DELETE /custom/appointment/{id}). */
export const deleteAppointment: Operation = {
	option: {
		name: 'Delete',
		value: 'delete',
		action: 'Delete an appointment',
		description: 'Delete an appointment that has no linked recording',
	},
	properties,
	start: (context) =>
		appointmentRun(context, (itemIndex) => {
			const eventId = readEventId(context, itemIndex);
			const path = `/${toPathSegment(eventId)}`;
			const missingIsDeleted =
				context.getNodeParameter('options.missingIsDeleted', itemIndex, false) === true;
			return {
				key: eventId,
				async send(pace) {
					const { status, body } = await appointmentRequest(context, {
						method: 'DELETE',
						path,
						itemIndex,
						pace,
						answers: ANSWERS,
						// After an attempt whose answer was lost, 404 says that it was applied.
						accepts: (answer, inDoubt) => isMissing(answer) && (inDoubt || missingIsDeleted),
					});
					return { deleted: true, event_id: eventId, status, answer: plainText(body) };
				},
			};
		}),
};
