import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from '../../../shared/node/operation';
import { appointmentRun, optionsProperty } from '../../sending/appointmentRun';
import type { AnswerRow } from '../../sending/appointmentRequest';
import { eventIdProperty, readEventId, toPathSegment } from '../../mapping/eventId';

const missingIsDeleted: INodeProperties = {
	displayName: 'Treat Missing as Deleted',
	name: 'missingIsDeleted',
	type: 'boolean',
	default: false,
	description: 'Whether an appointment that does not exist counts as deleted',
};

/** D2 shows no body for a missing appointment: anything but the gateway's own 404 or a web page. */
const IS_MISSING = /^(?!\s*<)(?!.*No matching route)/s;

/** What DELETE answers (D2 § DELETE /custom/appointment/{id}). */
const ANSWERS: AnswerRow[] = [
	{
		status: 400,
		message: 'The service does not accept this Event ID',
		advice: 'Use the original ID that your system sent.',
	},
	{
		status: 404,
		body: IS_MISSING,
		message: 'No appointment has this Event ID',
		advice:
			"Check the Event ID: your own, not the service's internal ID, and of this key's organization. If missing is fine, turn on Treat Missing as Deleted.",
	},
	{
		status: 409,
		message: 'The appointment has a linked recording and cannot be deleted',
		advice: "Keep the appointment, or remove its recording in your conversation service's web app first.",
	},
];

/** Deletes an appointment (D2 § DELETE /custom/appointment/{id}). */
export const deleteAppointment: Operation = {
	option: {
		name: 'Delete',
		value: 'delete',
		action: 'Delete appointment',
		description: 'Delete an appointment that has no linked recording',
	},
	properties: [eventIdProperty, optionsProperty([missingIsDeleted])],
	start: () =>
		appointmentRun(ANSWERS, (item) => {
			const eventId = readEventId(item);
			const path = `/${toPathSegment(eventId)}`;
			const isMissingFine = item.collection('options').missingIsDeleted === true;
			return {
				key: eventId,
				async execute(send) {
					const answered = await send({
						method: 'DELETE',
						path,
						// If the answer to an earlier attempt was lost, 404 means that it was applied.
						accepts: ({ status, body }, inDoubt) =>
							status === 404 && IS_MISSING.test(body) && (inDoubt || isMissingFine),
					});
					return { deleted: true, event_id: eventId, ...answered };
				},
			};
		}),
};
