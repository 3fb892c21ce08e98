import type { IWebhookFunctions } from 'n8n-workflow';
import {
	readFilter,
	readSecrets,
	readSettings,
} from '../../../nodes/ConversationIntelligenceTrigger/settings';

/** Reads settings from parameters, of which a workflow may have saved none. */
const read = (parameters: Record<string, unknown> = {}) => readSettings(contextOf(parameters));

const contextOf = (parameters: Record<string, unknown>) =>
	({
		getNode: () => ({ parameters }),
		getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
	}) as unknown as IWebhookFunctions;

test('the settings of an empty trigger are strict', () => {
	expect(read()).toEqual({
		events: ['conversation_processed'],
		signatureHeader: 'X-Service-Signature',
		allowUnsigned: false,
		ignoreRepeats: true,
		maximumAgeMs: 5 * 60_000,
	});
});

test('the parameters change the settings; the name of a header counts without spaces around it', () => {
	const options = {
		signatureHeader: ' X-Mine\n',
		allowUnsigned: true,
		dropRepeats: false,
		maximumAgeMinutes: 0.5,
	};
	expect(read({ events: ['test'], options })).toEqual({
		events: ['test'],
		signatureHeader: 'X-Mine',
		allowUnsigned: true,
		ignoreRepeats: false,
		maximumAgeMs: 30_000,
	});
	expect(read({ options: { signatureHeader: '  ' } }).signatureHeader).toBe('X-Service-Signature');
});

test.each([
	[{ events: 7 }, 'Trigger On must be a list of conversation_processed, test (it is 7)'],
	[{ events: ['deleted'] }, 'Trigger On must be a list of conversation_processed, test (it is ["deleted"])'],
	[
		{ options: { maximumAgeMinutes: 'a day' } },
		'Maximum Age (Minutes) must be a number from 0 (it is "a day")',
	],
	[{ options: { maximumAgeMinutes: -1 } }, 'Maximum Age (Minutes) must be a number from 0 (it is -1)'],
	[{ options: { dropRepeats: 'no' } }, 'Ignore Repeats must be true or false (it is "no")'],
])('refuses %j with the name of the setting', (parameters, message) => {
	expect(() => read(parameters)).toThrow(message);
});

test('the filter is a list of emails, and none means all users', () => {
	expect(readFilter(contextOf({}))).toBeUndefined();
	expect(readFilter(contextOf({ filters: { users: ['ana@example.com'] } }))).toEqual(['ana@example.com']);
	expect(() => readFilter(contextOf({ filters: { users: ['ana'] } }))).toThrow(
		'The user "ana" is not an email address',
	);
});

describe('readSecrets', () => {
	test('trims everything and leaves out what is empty', () => {
		const secrets = readSecrets({
			signingSecret: ' with blanks inside \n',
			previousSigningSecret: ' ',
			receiverHeaderName: ' X-Receiver ',
			receiverHeaderSecret: 'token\n',
		});
		expect(secrets).toEqual({
			signing: ['with blanks inside'],
			hasShort: false,
			receiverHeader: { name: 'X-Receiver', value: 'token' },
		});
		expect(readSecrets({})).toEqual({
			signing: [],
			hasShort: false,
			receiverHeader: { name: '', value: '' },
		});
	});

	test('never accepts a signing secret of fewer than 16 characters, current or previous', () => {
		const long = '1234567890abcdef';
		const both = { signingSecret: long, previousSigningSecret: 'the previous secret' };
		expect(readSecrets(both)).toMatchObject({ signing: [long, 'the previous secret'], hasShort: false });
		expect(readSecrets({ signingSecret: ` ${long.slice(1)} ` })).toMatchObject({
			signing: [],
			hasShort: true,
		});
		expect(readSecrets({ signingSecret: long, previousSigningSecret: 'x' })).toMatchObject({
			signing: [long],
			hasShort: true,
		});
	});
});
