import { testParameters } from '../../support/nodeParameters';

testParameters(
	async () => {
		const { ConversationIntelligencePollTrigger } = await import(
			'../../../nodes/ConversationIntelligencePollTrigger/ConversationIntelligencePollTrigger.node'
		);
		return new ConversationIntelligencePollTrigger();
	},
	{ '': 4 },
);
