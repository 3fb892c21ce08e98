import type { INodeProperties, IWebhookFunctions } from 'n8n-workflow';
import { fieldsParameter } from '../../../nodes/ConversationIntelligenceTrigger/events';
import { properties, readSettings } from '../../../nodes/ConversationIntelligenceTrigger/panel';
import { readSelection } from '../../../nodes/shared/triggers/conversations';

/** Reads settings from parameters, of which a workflow may have saved none. */
const read = (parameters: Record<string, unknown> = {}) => readSettings(contextOf(parameters));

const contextOf = (parameters: Record<string, unknown>) =>
	({
		getNode: () => ({ type: 'trigger', parameters }),
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
		ignoreRepeats: false,
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
	expect(() => read({ options: { maximumAgeMinutes: -1 } })).toThrow(
		'Maximum Age (Minutes) must be a number',
	);
});

test('by default, every conversation starts the workflow with its simplified fields', () => {
	const selected = (parameters: Record<string, unknown>) =>
		readSelection(contextOf(parameters), fieldsParameter);
	expect(selected({})).toEqual({ filter: {}, teams: undefined, output: 'simplified', isNewOnly: false });
	const filters = { users: ['ana@example.com'], teams: ['North'], outcome: 'Sold', minDuration: 60 };
	expect(selected({ filters, output: 'event', options: { deliver: 'new' } })).toEqual({
		filter: { users: ['ana@example.com'], outcomes: ['Sold'], minDuration: 60 },
		teams: ['North'],
		output: 'event',
		isNewOnly: true,
	});
});

test('only Filters take an expression, because a delivery must not decide how it is verified', () => {
	const others = properties.filter(({ name }) => name !== 'filters');
	const flat = others.flatMap((property) => [property, ...((property.options ?? []) as INodeProperties[])]);
	const fields = flat.filter(({ type }) => type !== undefined);
	expect(fields.filter(({ noDataExpression }) => !noDataExpression)).toEqual([]);
});
