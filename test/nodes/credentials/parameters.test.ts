import { credentialSection, documentedSection } from '../../../scripts/parameters/render';

test('the Conversation Export API credential has the fields that docs/parameters.md lists', async () => {
	const { ConversationExportApi } = await import('../../../credentials/ConversationExportApi.credentials');
	const { displayName, name, properties } = new ConversationExportApi();
	const section = credentialSection(displayName, name, properties).trimEnd();
	expect(section).toBe(documentedSection(`${displayName} credential`));
});

test('the CRM Appointment API credential has the fields that docs/parameters.md lists', async () => {
	const { CrmAppointmentApi } = await import('../../../credentials/CrmAppointmentApi.credentials');
	const { displayName, name, properties } = new CrmAppointmentApi();
	const section = credentialSection(displayName, name, properties).trimEnd();
	expect(section).toBe(documentedSection(`${displayName} credential`));
});
