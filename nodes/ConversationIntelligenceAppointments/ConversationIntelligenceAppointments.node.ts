import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { executeOperation } from '../shared/node/operationRun';
import { describeResources, SUBTITLE } from '../shared/node/resources';
import { crmAppointmentApiTest } from './api';
import { appointment } from './appointmentOperations';
import { getAppointmentFields, getInputColumns } from './appointmentParameters';

const resources = [appointment];

/** Creates, updates and deletes appointments, and matches conversations to them (D2). */
export class ConversationIntelligenceAppointments implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Conversation Intelligence Appointments',
		name: 'conversationIntelligenceAppointments',
		icon: {
			light: 'file:conversationIntelligenceAppointments.svg',
			dark: 'file:conversationIntelligenceAppointments.dark.svg',
		},
		group: ['output'],
		version: 1,
		subtitle: SUBTITLE,
		description: 'Send CRM appointments, so that field-sales recordings are linked to the right meeting',
		defaults: { name: 'Conversation Intelligence Appointments' },
		usableAsTool: true,
		builderHint: {
			searchHint:
				'Map the objects of a calendar as they come: attendees, and times such as { dateTime, timeZone }. Attendees are always the whole list. For rows with a status, such as created or cancelled, use Sync Appointments instead of Switch.',
		},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'crmAppointmentApi', required: true, testedBy: 'crmAppointmentApiTest' }],
		properties: describeResources(resources),
	};

	methods = {
		credentialTest: { crmAppointmentApiTest },
		listSearch: { getInputColumns },
		resourceMapping: { getAppointmentFields },
	};

	async execute(this: IExecuteFunctions) {
		return await executeOperation(this, resources);
	}
}
