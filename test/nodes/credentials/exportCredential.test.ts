import { ConversationExportApi } from '../../../credentials/ConversationExportApi.credentials';

test('requires only Base URL and API Key, and a notice says that the other fields are for the trigger', () => {
	const { properties } = new ConversationExportApi();
	const notice = properties.findIndex(({ type }) => type === 'notice');

	expect(properties.slice(0, notice).map(({ displayName }) => displayName)).toEqual(['Base URL', 'API Key']);
	expect(properties[notice].displayName).toContain('only for the Conversation Intelligence Trigger');
	expect(properties.filter(({ required }) => required).map(({ name }) => name)).toEqual([
		'baseUrl',
		'apiKey',
	]);
});
