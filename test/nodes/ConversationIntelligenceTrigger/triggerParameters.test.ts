import { readFileSync } from 'node:fs';
import type { INodeProperties, IWebhookFunctions } from 'n8n-workflow';
import { STATUSES } from '../../../nodes/ConversationIntelligenceTrigger/triggerErrors';
import { properties, readSettings } from '../../../nodes/ConversationIntelligenceTrigger/triggerParameters';

/** Reads settings from parameters, of which a workflow may have saved none. */
const read = (parameters: Record<string, unknown>) =>
	readSettings({
		getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
	} as unknown as IWebhookFunctions);

test('the settings of an empty trigger are strict; the name of a header counts without spaces around it', () => {
	const strict = { signatureHeader: 'X-Service-Signature', allowUnsigned: false, ignoreDuplicates: true };
	const byDefault = { events: ['conversation_processed'], ...strict, maximumAgeMs: 300_000 };
	for (const options of [{}, { signatureHeader: '  ' }]) expect(read({ options })).toEqual(byDefault);
	const options = { allowUnsigned: true, acceptDuplicates: true, maximumAgeMinutes: 0.5 };
	expect(read({ events: ['test'], options: { ...options, signatureHeader: ' X-Mine\n' } })).toEqual({
		...{ events: ['test'], signatureHeader: 'X-Mine', allowUnsigned: true, ignoreDuplicates: false },
		maximumAgeMs: 30_000,
	});
	expect(() => read({ options: { maximumAgeMinutes: -1 } })).toThrow(
		'Maximum Age (Minutes) must be a number',
	);
});

test('only Filters take an expression, because a delivery must not decide how it is verified', () => {
	const others = properties.filter(({ name }) => name !== 'filters');
	const flat = others.flatMap((property) => [property, ...((property.options ?? []) as INodeProperties[])]);
	const fields = flat.filter(({ type }) => type !== undefined);
	expect(fields.filter(({ noDataExpression }) => !noDataExpression)).toEqual([]);
});

test('docs/troubleshooting.md lists every status of a rejection', () => {
	const page = readFileSync('docs/troubleshooting.md', 'utf8');
	const [table] = page.split('## What Send test shows\n')[1].split('\n## ');
	const documented = table.split('\n').flatMap((line) => line.split('|')[1]?.match(/\d{3}/g) ?? []);
	const missing = [401, ...Object.values(STATUSES)].filter((status) => !documented.includes(String(status)));
	expect(missing).toEqual([]);
});
