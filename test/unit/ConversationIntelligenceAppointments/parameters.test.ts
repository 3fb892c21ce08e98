import { documentedSection, nodeSection } from '../../../scripts/parameters/render';

test('shows and saves the parameters that docs/parameters.md lists', async () => {
	const { ConversationIntelligenceAppointments } = await import(
		'../../../nodes/ConversationIntelligenceAppointments/ConversationIntelligenceAppointments.node'
	);
	const { description } = new ConversationIntelligenceAppointments();
	expect(nodeSection(description).trimEnd()).toBe(documentedSection(description.displayName));
});

test('tests each of its credentials when asked to', async () => {
	const { ConversationIntelligenceAppointments } = await import(
		'../../../nodes/ConversationIntelligenceAppointments/ConversationIntelligenceAppointments.node'
	);
	const { description, methods } = new ConversationIntelligenceAppointments();
	const named = description.credentials?.map(({ testedBy }) => testedBy);
	expect(Object.keys(methods.credentialTest)).toEqual(named);
});
