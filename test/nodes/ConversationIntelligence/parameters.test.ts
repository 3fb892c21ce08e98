import { testParameters } from '../../support/nodeParameters';

testParameters(
	async () => {
		const { ConversationIntelligence } = await import(
			'../../../nodes/ConversationIntelligence/ConversationIntelligence.node'
		);
		return new ConversationIntelligence();
	},
	{
		'conversation/getAll': 10,
		'conversation/get': 5,
		'conversation/downloadTranscript': 4,
		'conversation/downloadAudio': 4,
		'recording/getAwaitingUpload': 9,
		'recording/getErrored': 9,
		'team/getAll': 8,
		'user/getAll': 9,
	},
);
