import { ConversationIntelligencePollTrigger } from '../../../nodes/ConversationIntelligencePollTrigger/ConversationIntelligencePollTrigger.node';
import { ListService } from './listService';
import { pollContext, savedSince } from './pollingN8n';

const helpers = (service: ListService, createDeferredPromise?: () => object) => ({
	...(createDeferredPromise && { createDeferredPromise }),
	httpRequestWithAuthentication: async (_type: string, request: Parameters<ListService['respond']>[0]) =>
		service.respond(request),
});
const deferred = () => ({ promise: new Promise(() => {}) });

const emitOf = (length: number, emit = () => {}) => Object.defineProperty(emit, 'length', { value: length });

/** What a later n8n may change of how a node emits items itself. */
const CHANGES: Array<[string, (service: ListService) => object]> = [
	['no __emit', (service) => ({ __emit: undefined, helpers: helpers(service, deferred) })],
	['an __emit without a promise', (service) => ({ __emit: emitOf(1), helpers: helpers(service, deferred) })],
	['no deferred promise', (service) => ({ __emit: emitOf(3), helpers: helpers(service) })],
	[
		'an __emit that refuses the call',
		(service) => ({
			__emit: emitOf(3, () => {
				throw new TypeError('Not like this');
			}),
			helpers: helpers(service, deferred),
		}),
	],
];

test.each(CHANGES)(
	'with %s, returns the items once, and says that it does not follow them',
	async (change, more) => {
		const service = new ListService();
		const from = Date.now() - 60_000;
		const saved = savedSince(from);
		service.put('one', from + 1000);
		service.put('two', from + 2000);
		const lines: string[] = [];
		const write = (line: string) => void lines.push(line);
		const poll = async (getActivationMode: () => string) =>
			await new ConversationIntelligencePollTrigger().poll.call(
				pollContext({
					process: change,
					saved: () => saved,
					respond: async () => {},
					logger: { info: write, warn: write, error: write },
					getActivationMode,
					...more(service),
				}),
			);
		// Items of a poll that n8n does not await would be lost.
		const isCalling = change.includes('refuses');
		if (!isCalling) expect(await poll(() => 'init')).toBeNull();
		const returned = await poll(() => 'update');
		expect(returned?.[0].map(({ json }) => json.dedupeKey)).toEqual(['one', 'two']);
		expect(lines.filter((line) => line.includes('does not follow deliveries to their end'))).toHaveLength(1);
		expect(await poll(() => 'update')).toBeNull();
	},
);
