import type { ILoadOptionsFunctions, ResourceMapperField, ResourceMapperFields } from 'n8n-workflow';
import { isTool } from '../../shared/errors/nodeError';
import { APPOINTMENT_FIELDS, CUSTOMER_PREFIX, type AppointmentField } from '../mapping/fields';

/** The fields of an appointment, as D2 § Appointment lists them; only Create or Update requires those of a new one. */
export async function getAppointmentFields(
	this: Pick<ILoadOptionsFunctions, 'getCurrentNodeParameter' | 'getNode'>,
): Promise<ResourceMapperFields> {
	const mayCreate = this.getCurrentNodeParameter('operation') !== 'update';
	const forTool = isTool(this.getNode());
	return {
		fields: APPOINTMENT_FIELDS.map((field): ResourceMapperField => {
			const { id, displayName, type, required, isShown, options } = field;
			const isRequired = required === 'always' || (required === 'onCreate' && mayCreate);
			return {
				id,
				displayName,
				type,
				...(options && { options }),
				required: isRequired,
				display: true,
				removed: !isRequired && (forTool || !isShown),
				defaultMatch: false,
				canBeUsedToMatch: false,
				...(forTool && { defaultValue: filledByAgent(field, isRequired, mayCreate) }),
			};
		}),
	};
}

/** n8n's expression for a value that the model supplies; it is all that the model reads about the field. */
function filledByAgent(
	{ id, displayName, ifEmpty = 'Empty = unchanged.', forAgent }: AppointmentField,
	isRequired: boolean,
	mayCreate: boolean,
): string {
	const whole = mayCreate ? 'Send every customer field you know.' : 'Send all customer fields or none.';
	const isOfCustomer = id.startsWith(CUSTOMER_PREFIX);
	const need = isRequired ? 'Required.' : isOfCustomer && mayCreate ? '' : ifEmpty;
	const sentences = [`${displayName}.`, need, isOfCustomer ? whole : '', forAgent].filter(Boolean).join(' ');
	// Without a default, n8n's MCP Server Trigger refuses a call without the field.
	const fallback = isRequired ? '' : ", ''";
	return `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${id}', \`${sentences}\`, 'string'${fallback}) }}`;
}
