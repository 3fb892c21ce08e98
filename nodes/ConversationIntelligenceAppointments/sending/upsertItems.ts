import type { IExecuteFunctions } from 'n8n-workflow';
import { codedError } from '../../shared/errors/codedError';
import type { Item } from '../../shared/node/item';
import type { OperationRun } from '../../shared/node/operation';
import { entryOf, refusedValue } from '../../shared/node/parameters';
import { isTool } from '../../shared/node/tool';
import { zoneOf } from '../../shared/time/writtenTime';
import { upsertRequest } from '../api';
import { INPUT_ERRORS } from '../errors';
import { buildAppointment, type Appointment } from '../mapping/buildAppointment';
import { readColumns } from '../mapping/columns';
import { nameItem } from '../mapping/eventId';
import { APPOINTMENT_FIELDS } from '../mapping/fields';
import { options } from '../mapping/properties';
import { warningsOf } from '../mapping/itemWarnings';
import { RunWarnings, sentencesOf } from '../mapping/warnings';
import type { ResponseRow } from './appointmentRequest';
import { appointmentRun, type PreparedRequest } from './appointmentRun';

/** Responses of POST /custom/appointment (D2 § Errors). */
const RESPONSES: ResponseRow[] = [
	{ status: 400, body: 'user_email must be a non-empty string', code: 'owner_refused' },
	{ status: 400, body: 'attendee_emails must be an array of non-empty strings', code: 'attendees_refused' },
	{ status: 400, body: 'attendee_emails cannot be combined with media_url', code: 'attendees_with_media' },
	{ status: 400, code: 'appointment_refused' },
	// This body ends with the name of the service.
	{ status: 422, body: /^User email is not in /, code: 'attendees_unknown' },
];

/** Prepares items for POST /custom/appointment, which creates or updates; only `mayCreate` needs all fields of a new one. */
export function startUpserts(context: IExecuteFunctions, mayCreate: boolean): OperationRun {
	const forAgent = isTool(context.getNode());
	const all = new RunWarnings(context.getInputData().length > 1);
	const prepare = (item: Item): PreparedRequest => {
		const columns = readColumns(item);
		nameItem(item, columns.values.event_id);
		const ownerOnly = item.option(options.ownerOnly);
		const isPreview = item.option(options.previewOnly);
		// A column that is left out has a value, so it is not cleared.
		const leftOut = columns.warnings.ofOtherTable ?? [];
		const toClear = readFieldsToClear(item).filter((id) => !leftOut.includes(id));
		const sent = buildAppointment(columns, {
			mayCreate,
			ownerOnly,
			toClear,
			zone: readZone(item.option(options.timeZone), context.getTimezone()),
		});
		const found = warningsOf(columns, sent, { isUpdate: !mayCreate, ownerOnly, toClear, forAgent });
		all.add(item.index, found);
		const { event_id, user_email } = sent;
		return {
			eventId: event_id,
			async execute(send) {
				const response = isPreview ? { preview: true } : await send(upsertRequest(sent));
				return { event_id, user_email, ...response, sent: withZone(sent), warnings: sentencesOf(found) };
			},
		};
	};
	return appointmentRun(context, RESPONSES, prepare, () => all.hints);
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
