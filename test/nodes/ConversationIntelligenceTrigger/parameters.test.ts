import { testParameters } from '../../support/nodeParameters';

testParameters(
	async () => {
		const { ConversationIntelligenceTrigger } = await import(
			'../../../nodes/ConversationIntelligenceTrigger/ConversationIntelligenceTrigger.node'
		);
		return new ConversationIntelligenceTrigger();
	},
	{ '': 4 },
);
