import type { ILoadOptionsFunctions, ResourceMapperField, ResourceMapperFields } from 'n8n-workflow';
import { APPOINTMENT_FIELDS, type AppointmentField } from '../mapping/fields';

/**
 * The fields of an appointment for the resource mapper. No request is made: D2 § Appointment lists them. The operation
 * says which are required, Ingest Recording whether a recording is offered.
 */
export async function getAppointmentFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const mayCreate = this.getCurrentNodeParameter('operation') !== 'update';
	const withRecording = this.getCurrentNodeParameter('withRecording') === true;
	const fields = APPOINTMENT_FIELDS.filter(({ isRecording }) => withRecording || !isRecording);
	return { fields: fields.map((field) => toColumn(field, mayCreate)) };
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
		defaultMatch: false,
		canBeUsedToMatch: false,
	};
}
