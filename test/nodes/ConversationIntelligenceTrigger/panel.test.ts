import { ConversationIntelligenceTrigger } from '../../../nodes/ConversationIntelligenceTrigger/ConversationIntelligenceTrigger.node';
import type { INodeProperties } from 'n8n-workflow';
import {
	activationMessage,
	eventTriggerDescription,
	properties,
	triggerPanel,
} from '../../../nodes/ConversationIntelligenceTrigger/panel';

test('the panel says the set-up in one place: where the URLs are and what each is for', () => {
	const { activationHint, ...others } = triggerPanel as Exclude<typeof triggerPanel, boolean | undefined>;
	expect(activationHint).toMatch(
		/^Open <b>Webhook URLs<\/b>.*webhook subscription.*<b>Signing Secret<\/b>.*<b>Test URL<\/b> while you build.*<b>Production URL<\/b> once/,
	);
	expect(JSON.stringify([others, properties, activationMessage, eventTriggerDescription])).not.toMatch(
		/Webhook URLs|add a webhook subscription|Test URL<|Signing Secret/,
	);
	expect(properties.filter(({ type }) => type === 'notice')).toEqual([]);
});

test('only Filters take an expression, because a delivery must not decide how it is verified', () => {
	const others = properties.filter(({ name }) => name !== 'filters');
	const flat = others.flatMap((property) => [property, ...((property.options ?? []) as INodeProperties[])]);
	const fields = flat.filter(({ type }) => type !== undefined);
	expect(fields.filter(({ noDataExpression }) => !noDataExpression)).toEqual([]);
});

test('the description also mentions the export, because n8n shows it for both nodes in an empty workflow', () => {
	expect(new ConversationIntelligenceTrigger().description.description).toContain(
		'Export conversations, transcripts, teams and users, or start when',
	);
});
