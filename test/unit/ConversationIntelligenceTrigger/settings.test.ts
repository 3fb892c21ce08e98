import type { IWebhookFunctions } from 'n8n-workflow';
import { readSettings } from '../../../nodes/ConversationIntelligenceTrigger/settings';

/** Reads settings from parameters, of which a workflow may have saved none. */
const read = (parameters: Record<string, unknown> = {}) =>
	readSettings({
		getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
	} as unknown as IWebhookFunctions);

test('the settings of an empty trigger are strict', () => {
	expect(read()).toEqual({
		events: [],
		signatureHeader: 'X-Service-Signature',
		allowUnsigned: false,
		dropRepeats: true,
		maximumAgeMs: 24 * 3_600_000,
	});
});

test('the options change the settings; the name of a header counts without spaces around it', () => {
	const options = { signatureHeader: ' X-Mine\n', allowUnsigned: true, dropRepeats: false, maximumAge: 0.5 };
	expect(read({ events: ['test', 1], options })).toEqual({
		events: ['test', '1'],
		signatureHeader: 'X-Mine',
		allowUnsigned: true,
		dropRepeats: false,
		maximumAgeMs: 1_800_000,
	});
	expect(read({ options: { signatureHeader: '  ' } }).signatureHeader).toBe('X-Service-Signature');
});

test.each([
	[{ events: 'test' }, 'Trigger On is not a list: "test". Choose the events from the list.'],
	[
		{ options: { maximumAge: 'a day' } },
		'Maximum Age is "a day". Use a number of hours from 0; 0 accepts any age.',
	],
	[{ options: { maximumAge: '5' } }, 'Maximum Age is "5". Use a number of hours from 0; 0 accepts any age.'],
	[{ options: { maximumAge: -1 } }, 'Maximum Age is -1. Use a number of hours from 0; 0 accepts any age.'],
])('refuses %j with the name of the setting', (parameters, message) => {
	expect(() => read(parameters)).toThrow(message);
});
