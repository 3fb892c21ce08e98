import { testParameters } from '../../support/nodeParameters';

testParameters(async () => {
	const { ConversationIntelligence } = await import(
		'../../../nodes/ConversationIntelligence/ConversationIntelligence.node'
	);
	return new ConversationIntelligence();
});
