import { ConversationExportApi } from '../../../credentials/ConversationExportApi.credentials';

test('only Base URL and API Key are required; a notice says that the rest is for the trigger', () => {
	const { properties } = new ConversationExportApi();
	const notice = properties.findIndex(({ type }) => type === 'notice');

	expect(properties.slice(0, notice).map(({ displayName }) => displayName)).toEqual(['Base URL', 'API Key']);
	expect(properties[notice].displayName).toContain('only for the Conversation Intelligence Trigger');
	expect(properties.filter(({ required }) => required).map(({ name }) => name)).toEqual([
		'baseUrl',
		'apiKey',
	]);
});
