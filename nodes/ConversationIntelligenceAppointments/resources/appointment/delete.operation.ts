import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from '../../../shared/node/operation';
import { deleteRequest } from '../../api';
import { appointmentRun, optionsProperty } from '../../sending/appointmentRun';
import { plainText, type ResponseRow } from '../../sending/appointmentRequest';
import { eventIdProperty, readEventId, toPathSegment } from '../../mapping/eventId';

const missingIsDeleted = {
	displayName: 'Treat Missing as Deleted',
	name: 'missingIsDeleted',
	type: 'boolean',
	default: false,
	description: 'Whether an appointment that does not exist counts as deleted',
} as const satisfies INodeProperties;

/** D2 § Errors: bodies are plain strings, so JSON, a web page, nothing at all and a router's own words are another 404. */
const IS_MISSING = /^(?!\s*[<{[]|.*(No matching route|404 page not found)).*\S/s;

const LOST =
	'An earlier attempt got no clear response, and this one found no appointment, so it counts as deleted.';

/** Responses of DELETE (D2 § DELETE /custom/appointment/{id}). */
const RESPONSES: ResponseRow[] = [
	{ status: 400, code: 'event_id_refused' },
	{ status: 404, body: IS_MISSING, code: 'appointment_not_found' },
	{ status: 409, code: 'appointment_has_recording' },
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
	start: (context) =>
		appointmentRun(context, RESPONSES, (item) => {
			const eventId = readEventId(item);
			const request = deleteRequest(toPathSegment(eventId));
			const isMissingFine = item.option(missingIsDeleted);
			return {
				eventId,
				async execute(send) {
					let isLost = false;
					const response = await send({
						...request,
						// If the response to an earlier attempt was lost, 404 means that it was applied.
						accepts: ({ status, body }, inDoubt) => {
							isLost = inDoubt && status === 404;
							return status === 404 && IS_MISSING.test(plainText(body)) && (inDoubt || isMissingFine);
						},
					});
					const existed = response.status !== 404 || isLost;
					return { deleted: true, existed, event_id: eventId, ...response, warnings: isLost ? [LOST] : [] };
				},
			};
		}),
};
