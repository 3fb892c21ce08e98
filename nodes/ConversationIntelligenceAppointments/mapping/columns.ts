import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { APPOINTMENT_FIELDS, CUSTOMER_PREFIX } from './fields';
import { isUnset } from './values';

/** The values of an item by column name, as they were mapped, before they are read. */
export interface Columns {
	values: Record<string, unknown>;
	/** Columns of the input that are no field of an appointment. */
	unmapped: string[];
	/** Columns of a recording that have a value, while Ingest Recording is off. */
	unsentRecording: string[];
}

/** How the mapping of all items is set up. */
export interface Mapping {
	/** Whether the columns are those of the input. */
	isAutomatic: boolean;
	withRecording: boolean;
}

/**
 * Reads how the mapping is set up; none of this can differ between items, so the first one's parameters count.
 *
 * @param context the node's execution
 */
export function readMapping(context: IExecuteFunctions): Mapping {
	return {
		isAutomatic: context.getNodeParameter('columns.mappingMode', 0, 'defineBelow') === 'autoMapInputData',
		withRecording: context.getNodeParameter('withRecording', 0, false) === true,
	};
}

/**
 * Reads the columns of one item: from the node's values, or from the item itself.
 * A nested `customer` object of the item counts as the customer's columns.
 *
 * @param context the node's execution
 * @param itemIndex from 0
 * @param mapping as from {@link readMapping}
 */
export function readColumns(context: IExecuteFunctions, itemIndex: number, mapping: Mapping): Columns {
	const columns = mapping.isAutomatic
		? inputColumns(context.getInputData()[itemIndex].json)
		: { mapped: handColumns(context, itemIndex), unmapped: [] };
	const mapped = new Map(Object.entries(columns.mapped));
	const [sent, unsent] = mapping.withRecording
		? [APPOINTMENT_FIELDS, []]
		: [APPOINTMENT_FIELDS.filter(isOrdinary), APPOINTMENT_FIELDS.filter(({ isRecording }) => isRecording)];
	return {
		values: Object.fromEntries(sent.map(({ id }) => [id, mapped.get(id)])),
		unmapped: columns.unmapped,
		// By hand, the editor does not show what it kept of fields that are no longer offered.
		unsentRecording: mapping.isAutomatic
			? unsent.map(({ id }) => id).filter((id) => !isUnset(mapped.get(id)))
			: [],
	};
}

const isOrdinary = ({ isRecording }: { isRecording?: true }) => isRecording !== true;

function handColumns(context: IExecuteFunctions, itemIndex: number): IDataObject {
	// The engine's own conversion reads times without an offset in a zone of its choice and refuses lists as text.
	const options = { skipValidation: true };
	return (context.getNodeParameter('columns.value', itemIndex, {}, options) ?? {}) as IDataObject;
}

const NAMES = new Set(APPOINTMENT_FIELDS.map(({ id }) => id));

function inputColumns(input: IDataObject): { mapped: IDataObject; unmapped: string[] } {
	const { customer, ...columns } = input;
	const isNested = typeof customer === 'object' && customer !== null && !Array.isArray(customer);
	const nested = isNested ? (customer as IDataObject) : {};
	const mapped: IDataObject = { ...columns };
	for (const [part, value] of Object.entries(nested)) {
		const id = `${CUSTOMER_PREFIX}${part}`;
		if (NAMES.has(id) && isUnset(mapped[id])) mapped[id] = value;
	}
	const isUnmapped = ([name, value]: [string, unknown]) => value !== undefined && !NAMES.has(name);
	return {
		mapped,
		unmapped: [
			...Object.entries(isNested ? columns : input)
				.filter(isUnmapped)
				.map(([name]) => name),
			...Object.keys(nested)
				.filter((part) => !NAMES.has(`${CUSTOMER_PREFIX}${part}`))
				.map((part) => `customer.${part}`),
		],
	};
}
