import { ConversationIntelligenceTrigger } from '../../../nodes/ConversationIntelligenceTrigger/ConversationIntelligenceTrigger.node';
import { properties, triggerPanel } from '../../../nodes/ConversationIntelligenceTrigger/panel';

test('the panel says where both URLs are and what each is for', () => {
	const notice = properties[0].displayName;
	expect(notice).toMatch(/^Open <b>Webhook URLs<\/b>/);
	expect(notice).toMatch(
		/<b>Test URL<\/b> for Execute step.*<b>Production URL<\/b> for the published workflow/,
	);
	for (const help of Object.values((triggerPanel as { executionsHelp: object }).executionsHelp))
		expect(help).toMatch(/Test URL.*Send test.*Production URL/s);
});

test('the events in the node creator read as sentences', () => {
	const options = properties.find(({ name }) => name === 'events')!.options as Array<{ action: string }>;
	expect(options.map(({ action }) => action)).toEqual([
		'On conversation processed',
		'On test sent from web app',
	]);
});

test('the description also mentions the export, because n8n shows it for both nodes in an empty workflow', () => {
	expect(new ConversationIntelligenceTrigger().description.description).toContain(
		'Exports are under Actions',
	);
});

test('has no subscription to look for or delete, because the web app manages them', async () => {
	const { checkExists, delete: remove } = new ConversationIntelligenceTrigger().webhookMethods.default;
	expect(await checkExists()).toBe(false);
	expect(await remove()).toBe(true);
});
