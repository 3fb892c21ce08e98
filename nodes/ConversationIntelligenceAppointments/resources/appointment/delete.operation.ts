import type { INodeProperties } from 'n8n-workflow';
import type { Item } from '../../../shared/node/item';
import type { Operation } from '../../../shared/node/operation';
import { deleteRequest } from '../../api';
import { appointmentRequest, plainText, type ResponseRow } from '../../sending/appointmentRequest';
import { limitRequests, optionsProperty } from '../../sending/runOptions';
import { SAME_APPOINTMENT, warnOfSharedIds } from '../../sending/sharedIds';
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
export const deleteAppointment: Operation<ReturnType<typeof read>> = {
	option: {
		name: 'Delete',
		value: 'delete',
		action: 'Delete appointment',
		description: 'Delete an appointment that has no linked recording',
	},
	properties: [eventIdProperty, optionsProperty([missingIsDeleted])],
	read,
	key: ({ id }) => id,
	afterRead: (inputs) => warnOfSharedIds(inputs, SAME_APPOINTMENT),
	async execute(item, { id, path, isMissingFine, warnings }) {
		let isLost = false;
		const response = await appointmentRequest(item, RESPONSES, {
			...deleteRequest(path),
			// If the response to an earlier attempt was lost, 404 means that it was applied.
			accepts: ({ status, body }, inDoubt) => {
				isLost = inDoubt && status === 404;
				return status === 404 && IS_MISSING.test(plainText(body)) && (inDoubt || isMissingFine);
			},
		});
		const existed = response.status !== 404 || isLost;
		const lost = isLost ? [LOST] : [];
		return [
			{ json: { deleted: true, existed, event_id: id, ...response, warnings: [...lost, ...warnings] } },
		];
	},
};

function read(item: Item) {
	const id = readEventId(item);
	const path = toPathSegment(id);
	const isMissingFine = item.option(missingIsDeleted);
	limitRequests(item);
	return { id, what: item, path, isMissingFine, warnings: [] as string[] };
}
