import { testParameters } from '../../support/nodeParameters';

testParameters(
	async () => {
		const { ConversationIntelligenceAppointments } = await import(
			'../../../nodes/ConversationIntelligenceAppointments/ConversationIntelligenceAppointments.node'
		);
		return new ConversationIntelligenceAppointments();
	},
	{
		'appointment/upsert': 4,
		'appointment/update': 4,
		'appointment/delete': 3,
		'appointment/match': 4,
	},
);
