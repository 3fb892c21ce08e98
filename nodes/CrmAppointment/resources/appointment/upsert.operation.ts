import { UserError, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';
import { DateTime } from 'luxon';
import { plainText, type AnswerRow } from '../answers';
import type { AppointmentOperation, PreparedItem } from '../appointmentOperation';
import { appointmentRequest } from '../appointmentRequest';
import { APPOINTMENT_REFUSALS, type Appointment } from '../../../shared/contract';
import { buildAppointment } from './buildAppointment';
import { readColumns, readMapping, type Mapping } from './columns';
import { isUnset } from './values';
import { upsertProperties } from './upsertProperties';

/** What POST /custom/appointment answers (D2 § Errors). */
const ANSWERS: AnswerRow[] = [
	{
		status: 400,
		body: APPOINTMENT_REFUSALS.userEmail,
		message: 'User Email is empty or not text',
		advice: 'Map User Email to the email address of the rep who owns the appointment.',
	},
	{
		status: 400,
		body: APPOINTMENT_REFUSALS.attendees,
		message: 'Attendee Emails is not a list of email addresses',
		advice: 'Supply a list, JSON, or text separated by commas, without blank entries.',
	},
	{
		status: 400,
		body: APPOINTMENT_REFUSALS.attendeesWithMedia,
		message: 'Attendees and a Media URL cannot be sent together',
		advice:
			'Leave the attendees out of the items that carry a Media URL, or send the recording without attendees.',
	},
	{
		status: 400,
		message: 'The service does not accept the appointment',
		advice:
			'A new appointment needs start_time, end_time, title, customer_id and customer_name; a Media URL needs its Recording Type. Nothing was changed.',
	},
	{
		// The rest of this body is the name of the service.
		status: 422,
		body: /^User email is not in /,
		message: 'No attendee is a user of the service',
		advice:
			'Check User Email and Attendee Emails: with a list, at least one of it must belong to an active user; without one, the owner must. The appointment is unchanged.',
	},
];

/** Creates or updates an appointment by its event ID (D2 § POST /custom/appointment). */
export const upsert: AppointmentOperation = {
	option: {
		name: 'Create or Update',
		value: 'upsert',
		action: 'Create or update an appointment',
		description: 'Create a new record, or update the current one if it already exists (upsert)',
	},
	properties: upsertProperties,
	start(context: IExecuteFunctions) {
		const settings = {
			mapping: readMapping(context),
			mayCreate: context.getNodeParameter('writeMode', 0, 'createOrUpdate') !== 'update',
		};
		return (itemIndex) => prepareItem(context, itemIndex, settings);
	},
};

interface Settings {
	mapping: Mapping;
	mayCreate: boolean;
}

function prepareItem(context: IExecuteFunctions, itemIndex: number, settings: Settings): PreparedItem {
	const options = context.getNodeParameter('options', itemIndex, {}) as IDataObject;
	const body = readItem(context, itemIndex, settings, options);
	const { event_id, user_email } = body;
	const sent = { ...body } as IDataObject;
	return {
		eventId: event_id,
		async send(pace) {
			if (options.previewOnly === true) return { event_id, user_email, preview: true, sent };
			const answer = await appointmentRequest(context, {
				method: 'POST',
				body: sent,
				itemIndex,
				pace,
				answers: ANSWERS,
			});
			return { event_id, user_email, status: answer.status, answer: plainText(answer.body), sent };
		},
	};
}

function readItem(
	context: IExecuteFunctions,
	itemIndex: number,
	{ mapping, mayCreate }: Settings,
	options: IDataObject,
): Appointment {
	const { values, unknown } = readColumns(context, itemIndex, mapping);
	// Told once: the columns of the first item stand for the rest.
	if (itemIndex === 0 && unknown.length > 0) {
		context.addExecutionHints({
			message: `Not sent, because an appointment has no such field: ${unknown.join(', ')}. Rename these columns of the input, or send them as custom_fields.`,
			location: 'outputPane',
		});
	}
	return buildAppointment(values, {
		mayCreate,
		zone: readZone(options.timeZone, context.getTimezone()),
		ownerOnly: mapping.attendees === 'ownerOnly',
		sendEmpty: (options.sendEmpty as string[] | undefined) ?? [],
		customFields: readPairs(context.getNodeParameter('customFields.pairs', itemIndex, [])),
	});
}

function readZone(given: unknown, workflowZone: string): string {
	const zone = typeof given === 'string' ? given.trim() : '';
	if (zone === '') return workflowZone;
	if (DateTime.local({ zone }).isValid) return zone;
	throw new UserError(`Time Zone "${zone}" is unknown. Enter an IANA name such as Europe/Berlin, or UTC.`);
}

/** Pairs with a name and a value; values keep the type that an expression gave them. */
function readPairs(pairs: unknown): Record<string, unknown> {
	const given = Array.isArray(pairs) ? (pairs as Array<{ name: string; value: unknown }>) : [];
	const set = given.filter(({ name, value }) => !isUnset(name) && !isUnset(value));
	return Object.fromEntries(set.map(({ name, value }) => [name, value]));
}
