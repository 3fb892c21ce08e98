import { UserError, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';
import { DateTime } from 'luxon';
import { APPOINTMENT_REFUSALS } from '../../shared/contract';
import { buildAppointment, type BuildOptions } from '../mapping/buildAppointment';
import { readColumns, readMapping } from '../mapping/columns';
import { MappingFindings } from '../mapping/findings';
import type { OperationRun } from '../../shared/operation';
import { plainText, type AnswerRow } from './answers';
import { appointmentRequest } from './appointmentRequest';
import { appointmentRun } from './appointmentRun';

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
		message: 'Attendee Emails and Media URL cannot be sent together',
		advice: 'Leave one of the two empty.',
	},
	{
		status: 400,
		message: 'The service does not accept the appointment',
		advice:
			'A new appointment needs Start Time, End Time, Title, Customer ID and Customer Name; a Media URL needs its Recording Type. Nothing was changed.',
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

/**
 * Prepares items for POST /custom/appointment: the service creates or updates, by the Event ID.
 *
 * @param context the node's execution
 * @param mayCreate whether to check what only a new appointment needs
 */
export function startUpserts(context: IExecuteFunctions, mayCreate: boolean): OperationRun {
	const mapping = readMapping(context);
	const findings = new MappingFindings();
	return appointmentRun(
		context,
		(itemIndex) => {
			const options = context.getNodeParameter('options', itemIndex, {}) as IDataObject;
			const columns = readColumns(context, itemIndex, mapping);
			const body = buildAppointment(columns.values, {
				...readOptions(options, context.getTimezone()),
				mayCreate,
			});
			findings.add(itemIndex, columns, body);
			const { event_id, user_email } = body;
			const sent = { ...body } as IDataObject;
			return {
				key: event_id,
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
		},
		() => findings.report(context),
	);
}

function readOptions(
	{ timeZone, ownerOnly, fieldsToClear }: IDataObject,
	workflowZone: string,
): Omit<BuildOptions, 'mayCreate'> {
	const toClear = Array.isArray(fieldsToClear) ? fieldsToClear.map(String) : [];
	return { zone: readZone(timeZone, workflowZone), ownerOnly: ownerOnly === true, toClear };
}

function readZone(given: unknown, workflowZone: string): string {
	const zone = typeof given === 'string' ? given.trim() : '';
	if (zone === '') return workflowZone;
	if (DateTime.local({ zone }).isValid) return zone;
	throw new UserError(`Time Zone "${zone}" is unknown`, {
		description: 'Use an IANA name such as Europe/Berlin, or UTC.',
	});
}
