import type { INodeProperties } from 'n8n-workflow';
import { APPOINTMENT_FIELDS } from './fields';
import { pacingOptions } from '../sending/appointmentRun';

const attendeesNotice: INodeProperties = {
	displayName:
		'Every update replaces all attendees: send everyone who should remain. Without Attendee Emails, only the owner (User Email) remains.',
	name: 'attendeesNotice',
	type: 'notice',
	default: '',
};

const customerNotice: INodeProperties = {
	displayName:
		'The customer is one field: send all its parts, or none. Parts that you leave out may be erased.',
	name: 'customerNotice',
	type: 'notice',
	default: '',
};

const withRecording: INodeProperties = {
	displayName: 'Ingest Recording',
	name: 'withRecording',
	type: 'boolean',
	noDataExpression: true,
	default: false,
	description: 'Whether to attach a recording by URL: sends Media URL, Recording Type and Location',
};

const recordingNotice: INodeProperties = {
	displayName:
		'A Media URL cannot be sent together with Attendee Emails. The conversation follows once the recording is processed.',
	name: 'recordingNotice',
	type: 'notice',
	displayOptions: { show: { withRecording: [true] } },
	default: '',
};

const columns: INodeProperties = {
	displayName: 'Fields',
	name: 'columns',
	type: 'resourceMapper',
	noDataExpression: true,
	required: true,
	default: { mappingMode: 'defineBelow', value: null },
	typeOptions: {
		loadOptionsDependsOn: ['operation', 'withRecording'],
		resourceMapper: {
			resourceMapperMethod: 'getAppointmentFields',
			// The only one of n8n's modes that requires fields without asking for a field to match on.
			mode: 'add',
			fieldWords: { singular: 'field', plural: 'fields' },
			valuesLabel: 'Values to Send',
			addAllFields: true,
			supportAutoMap: true,
		},
	},
	description:
		'What to send; empty fields stay unchanged. Automatic mapping takes columns such as event_id, user_email and customer_id.',
};

const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
			displayName: 'Fields to Clear',
			name: 'fieldsToClear',
			type: 'multiOptions',
			options: APPOINTMENT_FIELDS.filter(({ isClearable }) => isClearable)
				.map(({ id, displayName }) => ({ name: displayName, value: id }))
				.sort((a, b) => a.name.localeCompare(b.name)),
			default: [],
			description:
				'Sent as empty text when they have no value. Parts of the customer go only with a customer.',
		},
		{
			displayName: 'Owner Only',
			name: 'ownerOnly',
			type: 'boolean',
			default: false,
			description: 'Whether to ignore Attendee Emails and keep the owner as the only attendee',
		},
		...pacingOptions,
		{
			displayName: 'Preview Only',
			name: 'previewOnly',
			type: 'boolean',
			default: false,
			description: 'Whether to show what would be sent without sending it',
		},
		{
			displayName: 'Time Zone',
			name: 'timeZone',
			type: 'string',
			default: '',
			placeholder: 'e.g. UTC or Europe/Berlin',
			description: 'Zone of times without an offset. Empty = workflow time zone.',
		},
	],
};

/** The parameters of the operations that map fields, in the editor's order. */
export const mappingProperties: INodeProperties[] = [
	withRecording,
	recordingNotice,
	columns,
	attendeesNotice,
	customerNotice,
	options,
];
