import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { describeResources, executeItems } from '../shared/operation';
import { crmAppointmentApiTest } from './methods/credentialTest';
import { resources } from './resources';

/** Keeps appointments in step with a CRM (D2). */
export class CrmAppointment implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'CRM Appointment',
		name: 'crmAppointment',
		icon: { light: 'file:crmAppointment.svg', dark: 'file:crmAppointment.dark.svg' },
		group: ['output'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Create, update, delete and match the appointments that recordings belong to',
		defaults: { name: 'CRM Appointment' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'crmAppointmentApi', required: true, testedBy: 'crmAppointmentApiTest' }],
		properties: describeResources(resources),
	};

	methods = { credentialTest: { crmAppointmentApiTest } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await executeItems(this, resources);
	}
}
