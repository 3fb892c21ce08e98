import type { ILoadOptionsFunctions, ResourceMapperField, ResourceMapperFields } from 'n8n-workflow';
import { isTool } from '../../shared/tool';
import { APPOINTMENT_FIELDS, CUSTOMER_PREFIX, type AppointmentField } from '../mapping/fields';

/** The fields of an appointment, as D2 § Appointment lists them; only Create or Update needs what a new one needs. */
export async function getAppointmentFields(
	this: Pick<ILoadOptionsFunctions, 'getCurrentNodeParameter' | 'getNode'>,
): Promise<ResourceMapperFields> {
	const mayCreate = this.getCurrentNodeParameter('operation') !== 'update';
	const forTool = isTool(this.getNode());
	return {
		fields: APPOINTMENT_FIELDS.map((field): ResourceMapperField => {
			const { id, displayName, type, required, options } = field;
			return {
				id,
				displayName,
				type,
				...(options && { options }),
				required: required === 'always' || (required === 'onCreate' && mayCreate),
				display: true,
				defaultMatch: false,
				canBeUsedToMatch: false,
				...(forTool && { defaultValue: filledByAgent(field) }),
			};
		}),
	};
}

/** n8n's expression for a value that the model supplies; the model reads nothing else about the field. */
function filledByAgent({ id, displayName, required, ifEmpty, forAgent }: AppointmentField): string {
	const need = { always: 'Required.', onCreate: 'Needed to create.', never: '' }[required ?? 'never'];
	const empty = required === 'always' ? '' : (ifEmpty ?? 'Empty = unchanged.');
	const whole = id.startsWith(CUSTOMER_PREFIX) ? 'Send all customer fields or none.' : '';
	const sentences = [`${displayName}.`, need, empty, whole, forAgent].filter(Boolean).join(' ');
	return `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${id}', \`${sentences}\`, 'string') }}`;
}
