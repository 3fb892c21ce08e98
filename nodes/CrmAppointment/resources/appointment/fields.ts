import type { FieldType, INodePropertyOptions } from 'n8n-workflow';
import { recordingTypeSchema } from '../../../shared/contract';
import { toAppointmentTime } from '../../../shared/time/appointmentTime';
import { readAttendees, readObject, readPrice, readText } from './values';

/** What a value is turned into; undefined leaves the field out. */
export type Reader = (value: unknown, field: string, zone: string) => unknown;

/** One column of the mapping: how the editor offers it and how its value is read (D2 § Appointment, § Customer object). */
export interface AppointmentField {
	/** Column name; the document's own, with `customer_` before the customer's. */
	id: string;
	displayName: string;
	type: FieldType;
	read: Reader;
	/** Always required, or when the appointment may have to be created. */
	required?: 'always' | 'onCreate';
	/** Offered in the mapping only with this parameter; automatic mapping always takes it. */
	only?: 'recording' | 'attendees';
	options?: INodePropertyOptions[];
	/** Text that may be sent empty when the user says so. */
	mayBeEmpty?: true;
}

const text = (id: string, displayName: string, more: Partial<AppointmentField> = {}): AppointmentField => ({
	id,
	displayName,
	type: 'string',
	read: readText,
	...more,
});

const optionalText = (id: string, displayName: string): AppointmentField =>
	text(id, displayName, { mayBeEmpty: true });

const time = (id: string, displayName: string): AppointmentField => ({
	id,
	displayName,
	type: 'dateTime',
	required: 'onCreate',
	read: (value, field, zone) => toAppointmentTime(value, zone, field),
});

export const APPOINTMENT_FIELDS: AppointmentField[] = [
	text('event_id', 'Event ID', { required: 'always' }),
	// Passed on as it is: the contract refuses anything but text with the document's own words.
	text('user_email', 'User Email', { required: 'always', read: (value) => value }),
	{
		id: 'attendee_emails',
		displayName: 'Attendee Emails',
		type: 'string',
		read: readAttendees,
		only: 'attendees',
	},
	time('start_time', 'Start Time'),
	time('end_time', 'End Time'),
	text('title', 'Title', { required: 'onCreate' }),
	text('customer_id', 'Customer ID', { required: 'onCreate' }),
	text('customer_name', 'Customer Name', { required: 'onCreate' }),
	optionalText('customer_email', 'Customer Email'),
	optionalText('customer_phone', 'Customer Phone'),
	optionalText('customer_address', 'Customer Address'),
	optionalText('result', 'Result'),
	optionalText('type', 'Type'),
	{ id: 'price', displayName: 'Price', type: 'number', read: readPrice },
	optionalText('lead_source', 'Lead Source'),
	{ id: 'custom_fields', displayName: 'Custom Fields', type: 'object', read: readObject },
	text('media_url', 'Media URL', { only: 'recording' }),
	text('recording_type', 'Recording Type', {
		only: 'recording',
		type: 'options',
		options: [
			{ name: 'Dialer Call', value: recordingTypeSchema.enum.CALL_AUDIO },
			{ name: 'Dialer Call with Location', value: recordingTypeSchema.enum.CALL_AUDIO_WITH_LOCATION },
			{ name: 'In-Person Appointment', value: recordingTypeSchema.enum.APPOINTMENT_AUDIO },
		],
	}),
	{ ...optionalText('location', 'Location'), only: 'recording' },
];

/** Before the customer's column names in the mapping; the request nests them. */
export const CUSTOMER_PREFIX = 'customer_';
