import type { ILoadOptionsFunctions, ResourceMapperField, ResourceMapperFields } from 'n8n-workflow';
import { APPOINTMENT_FIELDS, type AppointmentField } from '../resources/appointment/fields';

/**
 * The columns of an appointment for the resource mapper: no request is made, the document lists them
 * (D2 § Appointment). Which are required, and whether attendees and a recording are offered, follows the other
 * parameters of the node.
 */
export async function getAppointmentFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const mayCreate = this.getCurrentNodeParameter('writeMode') !== 'update';
	const offered = {
		attendees: (this.getCurrentNodeParameter('attendees') ?? 'mapped') === 'mapped',
		recording: this.getCurrentNodeParameter('withRecording') === true,
	};
	return {
		fields: APPOINTMENT_FIELDS.filter(({ only }) => only === undefined || offered[only]).map((field) =>
			toColumn(field, mayCreate),
		),
	};
}

function toColumn(
	{ id, displayName, type, required, options }: AppointmentField,
	mayCreate: boolean,
): ResourceMapperField {
	return {
		id,
		displayName,
		type,
		...(options === undefined ? {} : { options }),
		required: required === 'always' || (required === 'onCreate' && mayCreate),
		display: true,
		defaultMatch: id === 'event_id',
		canBeUsedToMatch: id === 'event_id',
	};
}
