import { codedError } from '../../shared/errors/codedError';
import type { Item } from '../../shared/node/item';
import type { Operation } from '../../shared/node/operation';
import { entryOf, refusedValue } from '../../shared/node/parameters';
import { isTool } from '../../shared/node/tool';
import { zoneOf } from '../../shared/time/writtenTime';
import { upsertRequest } from '../api';
import { INPUT_ERRORS } from '../errors';
import { buildAppointment, type Appointment } from '../mapping/buildAppointment';
import { readColumns } from '../mapping/columns';
import { nameItem } from '../mapping/eventId';
import { APPOINTMENT_FIELDS } from '../mapping/fields';
import { mappingProperties, options } from '../mapping/properties';
import { warningsOf } from '../mapping/itemWarnings';
import { RunWarnings, sentencesOf } from '../mapping/warnings';
import { appointmentRequest, type ResponseRow } from './appointmentRequest';
import { limitRequests } from './runOptions';
import { SAME_APPOINTMENT, warnOfSharedIds } from './sharedIds';

/** Responses of POST /custom/appointment (D2 § Errors). */
const RESPONSES: ResponseRow[] = [
	{ status: 400, body: 'user_email must be a non-empty string', code: 'owner_refused' },
	{ status: 400, body: 'attendee_emails must be an array of non-empty strings', code: 'attendees_refused' },
	{ status: 400, body: 'attendee_emails cannot be combined with media_url', code: 'attendees_with_media' },
	{ status: 400, code: 'appointment_refused' },
	// This body ends with the name of the service.
	{ status: 422, body: /^User email is not in /, code: 'attendees_unknown' },
];

/** Builds an operation of POST /custom/appointment; only one that `mayCreate` needs all fields of a new appointment. */
export function upsertOperation(
	option: Operation['option'],
	mayCreate: boolean,
): Operation<ReturnType<typeof readUpsert>> {
	return {
		option,
		properties: mappingProperties,
		read: (item) => readUpsert(item, mayCreate),
		key: ({ id }) => id,
		afterRead(inputs) {
			const all = new RunWarnings(inputs[0]?.item.context.getInputData().length > 1);
			for (const { item, found } of inputs) all.add(item.index, found);
			return [...all.hints, ...warnOfSharedIds(inputs, SAME_APPOINTMENT)];
		},
		async execute(item, { sent, isPreview, warnings }) {
			const { event_id, user_email } = sent;
			const response = isPreview
				? { preview: true }
				: await appointmentRequest(item, RESPONSES, upsertRequest(sent));
			return [{ json: { event_id, user_email, ...response, sent: withZone(sent), warnings } }];
		},
	};
}

function readUpsert(item: Item, mayCreate: boolean) {
	const columns = readColumns(item);
	nameItem(item, columns.values.event_id);
	const ownerOnly = item.option(options.ownerOnly);
	const isPreview = item.option(options.previewOnly);
	// A column that is left out has a value, so it is not cleared.
	const leftOut = columns.warnings.ofOtherTable ?? [];
	const toClear = readFieldsToClear(item).filter((id) => !leftOut.includes(id));
	const zone = readZone(item.option(options.timeZone), item.context.getTimezone());
	const sent = buildAppointment(columns, { mayCreate, ownerOnly, toClear, zone });
	const forAgent = isTool(item.context.getNode());
	const found = warningsOf(columns, sent, { isUpdate: !mayCreate, ownerOnly, toClear, forAgent });
	limitRequests(item);
	return { item, id: sent.event_id, what: item, sent, isPreview, found, warnings: sentencesOf(found) };
}

/** For the output: times that say that they are UTC, so that the next node reads them right. */
function withZone(sent: Appointment): Appointment {
	const zoned = { ...sent };
	for (const time of ['start_time', 'end_time'] as const) {
		if (sent[time] !== undefined) zoned[time] = `${sent[time].replace(' ', 'T')}Z`;
	}
	return zoned;
}

function readFieldsToClear(item: Item): string[] {
	const given = [entryOf(item.collection('options'), options.fieldsToClear.name, [])].flat();
	const lasting = APPOINTMENT_FIELDS.find(({ id, isClearable }) => !isClearable && given.includes(id));
	if (lasting === undefined) return item.option(options.fieldsToClear);
	throw codedError(
		INPUT_ERRORS,
		'field_not_clearable',
		{ field: lasting.displayName },
		{ field: options.fieldsToClear.displayName },
	);
}

function readZone(zone: string, workflowZone: string): string {
	if (zone === '') return workflowZone;
	const found = zoneOf(zone);
	if (found !== undefined) return found;
	throw refusedValue({
		label: options.timeZone.displayName,
		rule: 'the IANA name of a time zone',
		value: zone,
		advice: 'Use a name such as Europe/Berlin, or UTC.',
	});
}
