/** The parameters of the operations, and the fields that the editor offers. */
import type { ILoadOptionsFunctions, INodeProperties, ResourceMapperFields } from 'n8n-workflow';
import { isTool } from '../shared/base/codedErrors';
import { pickable, type Option } from '../shared/node/item';
import { asTool, byModel, collection, notAsTool } from '../shared/node/resources';
import { isOfCustomer } from './mapping/appointment';
import { APPOINTMENT_FIELDS, type AppointmentField } from './mapping/appointmentFields';

export const eventIdProperty: INodeProperties = {
	displayName: 'Event ID',
	name: 'eventId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. crm-1042',
	description: 'ID of the appointment in your own system',
};

/** Enough to be faster than the HTTP Request node at 50 ms a request (docs/reference/benchmarks.md). */
export const DEFAULT_CONCURRENCY = 40;

export const requestOptions = {
	concurrency: {
		displayName: 'Max Parallel Requests',
		name: 'concurrency',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 50, numberPrecision: 0 },
		default: 10,
		without: DEFAULT_CONCURRENCY,
		description: 'How many requests to send at the same time. The node sends fewer while it is throttled.',
	},
	perSecond: {
		displayName: 'Requests per Second',
		name: 'requestsPerSecond',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 10,
		without: 0,
		description: 'Maximum per second, including retries. 0 = unlimited.',
	},
} as const satisfies Record<string, Option>;

export const optionsProperty = (own: INodeProperties[] = []): INodeProperties =>
	collection('Options', [...own, ...Object.values(requestOptions)]);

export const options = {
	allDayEvents: {
		displayName: 'All-Day Events',
		name: 'allDayEvents',
		type: 'boolean',
		default: true,
		without: false,
		description: 'Whether to accept days without a time and send the start and end of the day',
	},
	dateOrder: {
		displayName: 'Date Order',
		name: 'dateOrder',
		type: 'options',
		options: [
			{ name: 'Day First (14/3/2026)', value: 'dayFirst' },
			{ name: 'Month First (3/14/2026)', value: 'monthFirst' },
		],
		default: 'monthFirst',
		without: undefined,
		description: 'How to read dates such as 3/4/2026 or 3.4.2026',
	},
	previewOnly: {
		displayName: 'Preview Only',
		name: 'previewOnly',
		type: 'boolean',
		default: true,
		without: false,
		description: 'Whether to show what would be sent without sending it',
	},
	repOnly: {
		displayName: 'Rep as Only Attendee',
		name: 'repOnly',
		type: 'boolean',
		default: true,
		without: false,
		description: 'Whether to ignore Attendee Emails and make the rep the only attendee',
	},
	timeZone: {
		displayName: 'Time Zone',
		name: 'timeZone',
		type: 'string',
		default: 'UTC',
		without: '',
		placeholder: 'e.g. Europe/Berlin',
		description: "Time zone of times that have none. Without this option, the workflow's time zone.",
	},
} as const satisfies Record<string, Option>;

export const missingIsDeleted = {
	displayName: 'Treat Missing as Deleted',
	name: 'missingIsDeleted',
	type: 'boolean',
	default: true,
	without: false,
	description: 'Whether to treat an appointment that does not exist as deleted',
} as const satisfies Option;

export const cancelledStatuses = {
	displayName: 'Cancelled Statuses',
	name: 'cancelledStatuses',
	type: 'string',
	default: 'cancelled',
	placeholder: 'e.g. cancelled, no longer needed',
	description: 'Statuses that delete the appointment, separated by commas',
} as const satisfies INodeProperties;

export const bookedStatuses = {
	displayName: 'Booked Statuses',
	name: 'bookedStatuses',
	type: 'string',
	default: 'booked, confirmed, scheduled, tentative, rescheduled',
	placeholder: 'e.g. booked, completed',
	description: 'Statuses that book the appointment, separated by commas. * = every other status.',
} as const satisfies INodeProperties;

/** A column of the input, or a value for each item; the editor resolves the columns for {@link getInputColumns}. */
export const statusProperties: INodeProperties[] = [
	{
		displayName: 'Input Columns',
		name: 'inputColumns',
		type: 'hidden',
		default: '={{ Object.keys($json) }}',
	},
	{
		displayName: 'Status',
		name: 'status',
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		description: 'Column with the status of each row. Empty = the column "status".',
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Choose a column...',
				typeOptions: { searchListMethod: 'getInputColumns', skipCredentialsCheckInRLC: true },
			},
			{ displayName: 'Value', name: 'value', type: 'string', placeholder: 'e.g. {{ $json.state }}' },
		],
	},
	cancelledStatuses,
	bookedStatuses,
];

/** @param forTool without automatic mapping, which would offer an agent no fields at all */
const fieldsProperty = (forTool: boolean): INodeProperties => ({
	displayName: 'Fields',
	name: 'columns',
	type: 'resourceMapper',
	noDataExpression: true,
	required: true,
	default: { mappingMode: 'defineBelow', value: null },
	displayOptions: forTool ? asTool : notAsTool,
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
	builderHint: {
		propertyHint:
			'attendee_emails replaces all attendees: map the whole list, as a calendar returns it. Without it, the rep is the only attendee.',
	},
});

const REPLACED =
	'Attendee Emails replaces all attendees: send everyone, or turn on Rep as Only Attendee under Options. Customer fields left empty may be erased.';

const automatic = { '/columns.mappingMode': ['autoMapInputData'] };
const notice = { type: 'notice', default: '' } as const;

/** The parameters of the operations that map fields, in the editor's order; one notice for each mapping mode. */
export const mappingProperties: INodeProperties[] = [
	{ ...notice, displayName: REPLACED, name: 'replacedNotice', displayOptions: { hide: automatic } },
	{
		...notice,
		displayName: `Columns: ${APPOINTMENT_FIELDS.map(({ id }) => id).join(', ')}. ${REPLACED}`,
		name: 'columnsNotice',
		displayOptions: { show: automatic },
	},
	fieldsProperty(false),
	fieldsProperty(true),
	optionsProperty(Object.values(options)),
];

/** The columns of the input, as far as the editor knows them. */
export async function getInputColumns(this: Pick<ILoadOptionsFunctions, 'getCurrentNodeParameter'>) {
	const columns = this.getCurrentNodeParameter('inputColumns');
	const names = Array.isArray(columns) ? columns.map(String) : [];
	return {
		results: pickable(
			names.map((name) => ({ name, value: name })),
			'a column',
		),
	};
}

/** The fields of an appointment, as D2 § Appointment lists them; only Create or Update requires those of a new one. */
export async function getAppointmentFields(
	this: Pick<ILoadOptionsFunctions, 'getCurrentNodeParameter' | 'getNode'>,
): Promise<ResourceMapperFields> {
	const mayCreate = this.getCurrentNodeParameter('operation') !== 'update';
	const forTool = isTool(this.getNode());
	const fields = APPOINTMENT_FIELDS.map((field) => {
		const { id, displayName, type, options: choices } = field;
		const required = field.required === 'always' || (field.required === 'onCreate' && mayCreate);
		return {
			...{ id, displayName, type, required, display: true, defaultMatch: false, canBeUsedToMatch: false },
			...(choices && { options: choices }),
			removed: !required && (forTool || field.required !== 'onUpdate'),
			...(forTool && { defaultValue: filledByAgent(field, required, mayCreate) }),
		};
	});
	return { fields };
}

/** n8n's expression for a value that the model supplies, with all that the model reads about the field. */
function filledByAgent(field: AppointmentField, isRequired: boolean, mayCreate: boolean): string {
	const { id, displayName, ifEmpty = 'Empty = unchanged.', forAgent } = field;
	const whole = mayCreate ? 'Send every customer field you know.' : 'Send all customer fields or none.';
	const need = isRequired ? 'Required.' : isOfCustomer(id) && mayCreate ? '' : ifEmpty;
	const sentences = [`${displayName}.`, need, isOfCustomer(id) && whole, forAgent].filter(Boolean).join(' ');
	// Without a default, n8n's MCP Server Trigger refuses a call without the field.
	return byModel(id, sentences, 'string', isRequired ? '' : ", ''");
}
