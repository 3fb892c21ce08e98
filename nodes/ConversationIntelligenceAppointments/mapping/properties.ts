import type { INodeProperties } from 'n8n-workflow';
import { APPOINTMENT_FIELDS } from './fields';
import { optionsProperty } from '../requestOptions';

/** @param forTool without automatic mapping, which would offer an agent no fields at all */
const fieldsProperty = (forTool: boolean): INodeProperties => ({
	displayName: 'Fields',
	name: 'columns',
	type: 'resourceMapper',
	noDataExpression: true,
	required: true,
	default: { mappingMode: 'defineBelow', value: null },
	displayOptions: { [forTool ? 'show' : 'hide']: { '@tool': [true] } },
	typeOptions: {
		loadOptionsDependsOn: ['operation'],
		resourceMapper: {
			resourceMapperMethod: 'getAppointmentFields',
			// The only one of n8n's modes that requires fields without asking for a field to match on.
			mode: 'add',
			fieldWords: { singular: 'field', plural: 'fields' },
			valuesLabel: 'Values to Send',
			supportAutoMap: !forTool,
		},
	},
	description: 'Fields without a value stay unchanged, except attendees and parts of a customer',
});

const REPLACED =
	'Attendees and customer are replaced as a whole: send everyone who attends, or turn on Owner Only. Customer fields left empty may be erased.';

const automatic = { '/columns.mappingMode': ['autoMapInputData'] };
const notice = { type: 'notice', default: '' } as const;

/** What the panel says for each mapping mode, never more than one at a time. */
const notices: INodeProperties[] = [
	{ ...notice, displayName: REPLACED, name: 'replacedNotice', displayOptions: { hide: automatic } },
	{
		...notice,
		displayName: `Columns: ${APPOINTMENT_FIELDS.map(({ id }) => id).join(', ')}. ${REPLACED}`,
		name: 'columnsNotice',
		displayOptions: { show: automatic },
	},
];

/** What the operations that map fields read from Options. */
export const options = {
	allDayEvents: {
		displayName: 'All-Day Events',
		name: 'allDayEvents',
		type: 'options',
		options: [
			{ name: 'Refuse', value: 'refuse' },
			{ name: 'Start and End of the Day', value: 'wholeDay' },
		],
		default: 'refuse',
		description: 'What to send for events without times of day',
	},
	ownerOnly: {
		displayName: 'Owner Only',
		name: 'ownerOnly',
		type: 'boolean',
		default: false,
		description: 'Whether to ignore Attendee Emails and keep the owner as the only attendee',
	},
	previewOnly: {
		displayName: 'Preview Only',
		name: 'previewOnly',
		type: 'boolean',
		default: false,
		description: 'Whether to show what would be sent without sending it',
	},
	timeZone: {
		displayName: 'Time Zone',
		name: 'timeZone',
		type: 'string',
		default: '',
		placeholder: 'e.g. Europe/Berlin',
		description: 'Zone of times without an offset. Empty = workflow time zone.',
	},
} as const satisfies Record<string, INodeProperties>;

/** The parameters of the operations that map fields, in the editor's order. */
export const mappingProperties: INodeProperties[] = [
	...notices,
	fieldsProperty(false),
	fieldsProperty(true),
	optionsProperty(Object.values(options)),
];
