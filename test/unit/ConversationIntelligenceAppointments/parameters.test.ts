import { testParameters } from '../../support/nodeParameters';

testParameters(async () => {
	const { ConversationIntelligenceAppointments } = await import(
		'../../../nodes/ConversationIntelligenceAppointments/ConversationIntelligenceAppointments.node'
	);
	return new ConversationIntelligenceAppointments();
});
