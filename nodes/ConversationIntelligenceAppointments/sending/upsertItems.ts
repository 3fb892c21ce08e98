import { UserError, type IExecuteFunctions } from 'n8n-workflow';
import { DateTime } from 'luxon';
import type { Item } from '../../shared/node/item';
import type { OperationRun } from '../../shared/node/operation';
import { isTool } from '../../shared/node/tool';
import { buildAppointment } from '../mapping/buildAppointment';
import { readColumns } from '../mapping/columns';
import { MappingFindings } from '../mapping/findings';
import type { AnswerRow } from './appointmentRequest';
import { appointmentRun, type PreparedRequest } from './appointmentRun';

/** What POST /custom/appointment answers (D2 § Errors). */
const ANSWERS: AnswerRow[] = [
	{
		status: 400,
		body: 'user_email must be a non-empty string',
		message: 'User Email is empty or not text',
		advice: 'Map User Email to the email address of the rep who owns the appointment.',
	},
	{
		status: 400,
		body: 'attendee_emails must be an array of non-empty strings',
		message: 'Attendee Emails is not a list of email addresses',
		advice: 'Supply a list, JSON, or text separated by commas, without blank entries.',
	},
	{
		status: 400,
		body: 'attendee_emails cannot be combined with media_url',
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
		// This body ends with the name of the service.
		status: 422,
		body: /^User email is not in /,
		message: 'No attendee is a user of the service',
		advice:
			'Check the addresses: one of Attendee Emails must belong to an active user, or User Email if there are none. The appointment is unchanged.',
	},
];

/** Prepares items for POST /custom/appointment, which creates or updates; only `mayCreate` needs all fields of a new one. */
export function startUpserts(context: IExecuteFunctions, mayCreate: boolean): OperationRun {
	const forAgent = isTool(context.getNode());
	const findings = new MappingFindings(forAgent);
	const prepare = (item: Item): PreparedRequest => {
		const { fieldsToClear, ownerOnly, previewOnly, timeZone } = item.collection('options');
		const columns = readColumns(item);
		const sent = buildAppointment(columns, {
			mayCreate,
			ownerOnly: ownerOnly === true,
			// An expression may give one name as text.
			toClear: [fieldsToClear ?? []].flat().map(String),
			zone: readZone(timeZone, context.getTimezone()),
		});
		findings.add(item.index, columns, sent);
		const { event_id, user_email } = sent;
		const note = forAgent ? { note: findings.noteForAgent } : {};
		return {
			key: event_id,
			async execute(send) {
				if (previewOnly === true) return { event_id, user_email, preview: true, sent, ...note };
				const answered = await send({ method: 'POST', body: sent });
				return { event_id, user_email, ...answered, sent, ...note };
			},
		};
	};
	return appointmentRun(ANSWERS, prepare, () => {
		for (const message of findings.hints) context.addExecutionHints({ message, location: 'outputPane' });
	});
}

function readZone(given: unknown, workflowZone: string): string {
	const zone = typeof given === 'string' ? given.trim() : '';
	if (zone === '') return workflowZone;
	if (DateTime.local({ zone }).isValid) return zone;
	throw new UserError(`Time Zone "${zone}" is unknown`, {
		description: 'Use an IANA name such as Europe/Berlin, or UTC.',
	});
}
