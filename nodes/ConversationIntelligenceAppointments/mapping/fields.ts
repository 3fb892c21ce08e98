import type { FieldType, INodePropertyOptions } from 'n8n-workflow';
import { recordingTypeSchema } from '../../shared/contract';
import { toAppointmentTime } from '../../shared/time/instant';
import { readAttendees } from './attendees';
import { readObject, readPrice, readText, readTrimmedText, readUserEmail } from './values';

/** What a value is turned into; undefined leaves the field out. Throws UserError with the label in its message. */
export type Reader = (value: unknown, label: string, zone: string) => unknown;

/** One column of the mapping: how the editor offers it and how its value is read (D2 § Appointment, § Customer object). */
export interface AppointmentField {
	/** Column name; the API's own, with `customer_` before the customer's. */
	id: string;
	displayName: string;
	type: FieldType;
	read: Reader;
	/** Always required, or when the appointment may have to be created. */
	required?: 'always' | 'onCreate';
	/** Part of a recording: sent only when Ingest Recording is on. */
	isRecording?: true;
	options?: INodePropertyOptions[];
	/** Text that may be sent empty when the user says so. */
	isClearable?: true;
}

/** Before the customer's column names in the mapping; the request nests them. */
export const CUSTOMER_PREFIX = 'customer_';

const text = (id: string, displayName: string, more: Partial<AppointmentField> = {}): AppointmentField => ({
	id,
	displayName,
	type: 'string',
	read: readText,
	...more,
});

const time = (id: string, displayName: string): AppointmentField => ({
	id,
	displayName,
	type: 'dateTime',
	required: 'onCreate',
	read: (value, label, zone) => toAppointmentTime(value, zone, label),
});

export const APPOINTMENT_FIELDS: AppointmentField[] = [
	text('event_id', 'Event ID', { required: 'always' }),
	text('user_email', 'User Email', { required: 'always', read: readUserEmail }),
	text('attendee_emails', 'Attendee Emails', { read: readAttendees }),
	time('start_time', 'Start Time'),
	time('end_time', 'End Time'),
	text('title', 'Title', { required: 'onCreate' }),
	text('customer_id', 'Customer ID', { required: 'onCreate' }),
	text('customer_name', 'Customer Name', { required: 'onCreate' }),
	text('customer_email', 'Customer Email', { isClearable: true }),
	text('customer_phone', 'Customer Phone', { isClearable: true }),
	text('customer_address', 'Customer Address', { isClearable: true }),
	text('result', 'Result', { read: readTrimmedText }),
	text('type', 'Type', { read: readTrimmedText, isClearable: true }),
	{ id: 'price', displayName: 'Price', type: 'number', read: readPrice },
	text('lead_source', 'Lead Source', { read: readTrimmedText, isClearable: true }),
	{ id: 'custom_fields', displayName: 'Custom Fields', type: 'object', read: readObject },
	text('media_url', 'Media URL', { isRecording: true }),
	text('recording_type', 'Recording Type', {
		isRecording: true,
		type: 'options',
		options: [
			{ name: 'Dialer Call', value: recordingTypeSchema.enum.CALL_AUDIO },
			{ name: 'Dialer Call with Location', value: recordingTypeSchema.enum.CALL_AUDIO_WITH_LOCATION },
			{ name: 'In-Person Appointment', value: recordingTypeSchema.enum.APPOINTMENT_AUDIO },
		],
	}),
	text('location', 'Location', { isRecording: true }),
];

/** The panel's label of each column. */
export const LABELS = new Map(APPOINTMENT_FIELDS.map(({ id, displayName }) => [id, displayName]));
