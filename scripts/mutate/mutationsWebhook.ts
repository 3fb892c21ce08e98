import type { Mutation } from './mutation';

export const webhookMutations: Mutation[] = [
	{
		rule: 'D1-SIG-01',
		what: 'the signature is in upper case',
		file: 'sandbox/webhooks/sender.ts',
		find: ".digest('hex')",
		replace: ".digest('hex').toUpperCase()",
	},
	{
		rule: 'D1-SIG-04',
		what: 'deliveries without a secret are signed',
		file: 'sandbox/webhooks/sender.ts',
		find: "...(secret !== undefined && { 'X-Service-Signature': signatureOf(secret, body) }),",
		replace: "'X-Service-Signature': signatureOf(secret ?? '', body),",
	},
	{
		rule: 'D1-HDR-01',
		what: 'names are unique with regard to case',
		file: 'sandbox/webhooks/rules.ts',
		find: 'const lower = name.toLowerCase();',
		replace: 'const lower = name;',
	},
	{
		rule: 'D1-HDR-03',
		what: 'the size of the map is measured in characters',
		file: 'sandbox/webhooks/rules.ts',
		find: "Buffer.byteLength(JSON.stringify(Object.fromEntries(headers)), 'utf8')",
		replace: 'JSON.stringify(Object.fromEntries(headers)).length',
	},
	{
		rule: 'D1-HDR-04',
		what: 'TE can be set',
		file: 'sandbox/webhooks/rules.ts',
		find: 'Keep-Alive, TE, ',
		replace: 'Keep-Alive, ',
	},
	{
		rule: 'D1-WH-02',
		what: 'one success does not prevent retries',
		file: 'sandbox/webhooks/engine.ts',
		find: "attempts.some(({ isSuccess }) => isSuccess) ? 'delivered' : 'pending'",
		replace: "attempts.every(({ isSuccess }) => isSuccess) ? 'delivered' : 'pending'",
	},
	{
		rule: 'D1-WH-06',
		what: 'redirects are followed with custom headers',
		file: 'sandbox/webhooks/sender.ts',
		find: 'hasCustomHeaders ? this.direct : this.following',
		replace: 'hasCustomHeaders ? this.following : this.following',
	},
	{
		rule: 'D1-SUB-03',
		what: 'a disabled subscription receives deliveries',
		file: 'sandbox/webhooks/subscriptions.ts',
		find: 'this.list().filter(({ enabled }) => enabled)',
		replace: 'this.list()',
	},
	{
		rule: 'D1-EVENTCUSTOMER-01',
		what: 'the customer of an event has an address',
		file: 'sandbox/webhooks/envelope.ts',
		find: 'email === null && phone === null ? null : { name, email, phone }',
		replace: 'email === null && phone === null ? null : { ...customer }',
	},
];
