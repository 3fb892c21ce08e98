import type { FieldType, INodePropertyOptions } from 'n8n-workflow';
import { readAttendees, readOwner } from './attendees';
import { readTime } from './times';
import {
	readId,
	readLink,
	readName,
	readObject,
	readPhone,
	readPrice,
	readText,
	type ValueContext,
} from './values';

/** One field: how the editor offers it and how its value is read (D2 § Appointment, § Customer object). */
export interface AppointmentField {
	/** Column name: the API's own, with `customer_` before the customer's. */
	id: string;
	displayName: string;
	type: FieldType;
	/** Returns what is sent, or undefined to leave the field out; a time is given as `timesOf` returns it. */
	read(value: unknown, label: string, reading: ValueContext): unknown;
	/** The requests that need the field. `onUpdate` means requests that cannot create an appointment. */
	required?: 'always' | 'onCreate' | 'onUpdate';
	/** What an empty value does, unless it leaves the field unchanged. */
	ifEmpty?: string;
	/** What else an AI agent needs to know to fill the field. */
	forAgent?: string;
	options?: INodePropertyOptions[];
}

/** Prefix of the customer's columns; the request nests them. */
export const CUSTOMER_PREFIX = 'customer_';

/** How a recording came about (D2 § Appointment, recording types). */
export const RECORDING_TYPES = [
	{ name: 'Dialer Call', value: 'CALL_AUDIO' },
	{ name: 'Dialer Call with Location', value: 'CALL_AUDIO_WITH_LOCATION' },
	{ name: 'In-Person Appointment', value: 'APPOINTMENT_AUDIO' },
];

const field = (id: string, displayName: string, more: Partial<AppointmentField> = {}): AppointmentField => ({
	id,
	displayName,
	type: 'string',
	read: readText,
	...more,
});

const time = (id: string, displayName: string) => {
	const forAgent = 'ISO 8601 with an offset, e.g. 2026-03-01T08:30:00+01:00.';
	return field(id, displayName, { type: 'dateTime', required: 'onCreate', read: readTime, forAgent });
};

export const APPOINTMENT_FIELDS: AppointmentField[] = [
	field('event_id', 'Event ID', {
		required: 'always',
		read: readId,
		forAgent: "Your system's ID; a known one is updated.",
	}),
	field('user_email', 'Rep Email', {
		required: 'always',
		read: readOwner,
		forAgent: 'Email of the rep whose appointment it is.',
	}),
	time('start_time', 'Start Time'),
	time('end_time', 'End Time'),
	field('title', 'Title', { required: 'onCreate' }),
	field('customer_id', 'Customer ID', { required: 'onCreate', read: readId }),
	field('customer_name', 'Customer Name', { required: 'onCreate' }),
	field('customer_email', 'Customer Email'),
	field('customer_phone', 'Customer Phone', { read: readPhone }),
	field('customer_address', 'Customer Address'),
	field('attendee_emails', 'Attendee Emails', {
		required: 'onUpdate',
		read: readAttendees,
		ifEmpty: 'Empty = only the rep attends; an update needs it.',
		forAgent: 'Emails of everyone who attends, separated by commas. Replaces the list.',
	}),
	field('result', 'Outcome', { read: readName, forAgent: 'An unknown one is created.' }),
	field('type', 'Type', { read: readName }),
	field('price', 'Price', { type: 'number', read: readPrice, forAgent: 'Without currency, e.g. 1200.5.' }),
	field('lead_source', 'Lead Source', { read: readName }),
	// Not of type "object", because the editor marks an empty one as broken JSON.
	field('custom_fields', 'Custom Fields', { read: readObject, forAgent: 'A JSON object.' }),
	field('media_url', 'Media URL', {
		read: readLink,
		forAgent: 'Recording to ingest. Only without Attendee Emails.',
	}),
	field('recording_type', 'Recording Type', {
		read: readName,
		type: 'options',
		options: RECORDING_TYPES,
		forAgent: `Needed with Media URL: ${RECORDING_TYPES.map(({ value }) => value).join(', ')}.`,
	}),
	field('location', 'Location', { read: readName, forAgent: 'Needed with CALL_AUDIO_WITH_LOCATION.' }),
];
