import type { INodeProperties } from 'n8n-workflow';
import { pacingOptions } from '../appointmentOperation';
import { APPOINTMENT_FIELDS } from './fields';

const REPLACES_ALL =
	'Each update replaces the whole attendee list: send everyone who should remain, even when only a time or the result changes. Without a list, the owner becomes the only attendee.';

const mapping: INodeProperties = {
	displayName: 'Columns',
	name: 'columns',
	type: 'resourceMapper',
	noDataExpression: true,
	required: true,
	default: { mappingMode: 'defineBelow', value: null },
	typeOptions: {
		loadOptionsDependsOn: ['writeMode', 'attendees', 'withRecording'],
		resourceMapper: {
			resourceMapperMethod: 'getAppointmentFields',
			mode: 'upsert',
			fieldWords: { singular: 'field', plural: 'fields' },
			valuesLabel: 'Values to Send',
			matchingFieldsLabels: {
				title: 'Field to match on',
				description: 'An appointment with this Event ID is updated; otherwise it is created',
			},
			addAllFields: true,
			multiKeyMatch: false,
			supportAutoMap: true,
		},
	},
	description:
		'What to send. A field without a value is left out, and stays unchanged on an existing appointment. Automatic mapping takes the columns of the input that carry the names of the fields, e.g. event_id, user_email, start_time, customer_id.',
};

/** The parameters of Create or Update, in the editor's order. */
export const upsertProperties: INodeProperties[] = [
	{
		displayName: 'Mode',
		name: 'writeMode',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Create or Update',
				value: 'createOrUpdate',
				description: 'Checks that everything a new appointment needs is there: times, title and customer',
			},
			{
				name: 'Update Only',
				value: 'update',
				description:
					'Checks only Event ID and User Email; everything else may be left out, but a customer goes whole: with Customer ID and Customer Name',
			},
		],
		default: 'createOrUpdate',
		description:
			'What the node checks before it sends. The service itself decides by the Event ID whether it creates or updates.',
	},
	{
		displayName: 'Attendees',
		name: 'attendees',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'As Mapped',
				value: 'mapped',
				description: 'Take attendee_emails from the mapping: a list, JSON, or text separated by commas',
			},
			{
				name: 'Leave Out',
				value: 'omit',
				description: 'Send no list, whatever the input holds: the owner becomes the only attendee',
			},
			{
				name: 'Owner Only',
				value: 'ownerOnly',
				description: 'Send an empty list: the owner becomes the only attendee',
			},
		],
		default: 'mapped',
		description: 'Who takes part besides the owner named by User Email',
	},
	{ displayName: REPLACES_ALL, name: 'attendeesNotice', type: 'notice', default: '' },
	{
		displayName: 'Ingest Recording',
		name: 'withRecording',
		type: 'boolean',
		noDataExpression: true,
		default: false,
		description:
			'Whether to offer the fields for hosted audio that the service fetches and processes: Media URL, Recording Type and Location',
	},
	{
		displayName:
			'A Media URL needs a Recording Type, and a Location for a dialer call with location. It cannot be combined with attendees. The answer only confirms receipt: processing ends later, with a processed conversation.',
		name: 'recordingNotice',
		type: 'notice',
		displayOptions: { show: { withRecording: [true] } },
		default: '',
	},
	mapping,
	{
		displayName: 'Additional Custom Fields',
		name: 'customFields',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Custom Field',
		default: {},
		options: [
			{
				displayName: 'Custom Field',
				name: 'pairs',
				values: [
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						placeholder: 'e.g. region',
						description: 'Name of the custom field',
					},
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						default: '',
						placeholder: 'e.g. north',
						description: 'Value of the custom field; a pair without a value is left out',
					},
				],
			},
		],
		description: 'Stored with the appointment, added to custom_fields of the mapping',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			...pacingOptions,
			{
				displayName: 'Preview Only',
				name: 'previewOnly',
				type: 'boolean',
				default: false,
				description: 'Whether to check the items and show what would be sent, without sending it',
			},
			{
				displayName: 'Send Empty Text For',
				name: 'sendEmpty',
				type: 'multiOptions',
				options: APPOINTMENT_FIELDS.filter(({ mayBeEmpty }) => mayBeEmpty)
					.map(({ id, displayName }) => ({ name: displayName, value: id }))
					.sort((a, b) => a.name.localeCompare(b.name)),
				default: [],
				description:
					'Fields that are sent as empty text when they have no value, to clear them, instead of leaving them unchanged',
			},
			{
				displayName: 'Time Zone',
				name: 'timeZone',
				type: 'string',
				default: '',
				placeholder: 'e.g. UTC or Europe/Berlin',
				description: "Time zone of times that carry no offset. Empty means the workflow's time zone.",
			},
		],
	},
];
