import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { APPOINTMENT_FIELDS, CUSTOMER_PREFIX, type AppointmentField } from './fields';

/** The values of an item by column name, as they were mapped, before they are read. */
export interface Columns {
	values: Record<string, unknown>;
	/** Columns of the input that automatic mapping does not know, so that they are not dropped in silence. */
	unknown: string[];
}

const NAMES = new Set(APPOINTMENT_FIELDS.map(({ id }) => id));

/** How the mapping of all items is set up. */
export interface Mapping {
	/** Whether the columns are those of the input. */
	isAutomatic: boolean;
	attendees: AttendeeMode;
	withRecording: boolean;
}

/** The values of the Attendees parameter. */
export type AttendeeMode = 'mapped' | 'omit' | 'ownerOnly';

/**
 * Reads how the mapping is set up; none of this can differ between items, so the first one's parameters count.
 *
 * @param context the node's execution
 * @returns where the columns come from, and whether attendees and a recording are among them (D2 § Appointment)
 */
export function readMapping(context: IExecuteFunctions): Mapping {
	return {
		isAutomatic: context.getNodeParameter('columns.mappingMode', 0, 'defineBelow') === 'autoMapInputData',
		attendees: context.getNodeParameter('attendees', 0, 'mapped') as AttendeeMode,
		withRecording: context.getNodeParameter('withRecording', 0, false) === true,
	};
}

/**
 * Reads the mapping of one item: by hand from the node's values, automatically from the item's own columns.
 * A nested `customer` object of the input counts as the customer's columns.
 *
 * @param itemIndex from 0
 * @param mapping as from {@link readMapping}
 * @returns the raw values of the document's fields, undefined where there is none, and what else the input holds
 *   (D2 § Appointment, § Customer object)
 */
export function readColumns(context: IExecuteFunctions, itemIndex: number, mapping: Mapping): Columns {
	const isOn = { attendees: mapping.attendees === 'mapped', recording: mapping.withRecording };
	if (mapping.isAutomatic) {
		const { customer, ...input } = context.getInputData()[itemIndex].json;
		const columns = { ...customerColumns(customer), ...input };
		// A recording in the input is taken; a list that the user chose not to send is not.
		return pick(columns, ({ only }) => only !== 'attendees' || isOn.attendees);
	}
	// The engine's own conversion reads times without an offset in a zone of its choice and refuses lists as text.
	const skipValidation = { skipValidation: true };
	const values = context.getNodeParameter(
		'columns.value',
		itemIndex,
		{},
		skipValidation,
	) as IDataObject | null;
	// Values of fields that are no longer offered stay behind in the node; they are not sent.
	return { ...pick(values ?? {}, ({ only }) => only === undefined || isOn[only]), unknown: [] };
}

function customerColumns(customer: unknown): Record<string, unknown> {
	if (customer === undefined || customer === null) return {};
	if (typeof customer !== 'object') return { customer };
	return Object.fromEntries(
		Object.entries(customer).map(([name, value]) => [`${CUSTOMER_PREFIX}${name}`, value]),
	);
}

function pick(columns: Record<string, unknown>, isTaken: (field: AppointmentField) => boolean): Columns {
	return {
		values: Object.fromEntries(
			APPOINTMENT_FIELDS.filter(isTaken).map(({ id }) => [
				id,
				Object.hasOwn(columns, id) ? columns[id] : undefined,
			]),
		),
		unknown: Object.keys(columns).filter((name) => columns[name] !== undefined && !NAMES.has(name)),
	};
}
