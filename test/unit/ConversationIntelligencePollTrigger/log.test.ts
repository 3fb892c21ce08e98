import type { IPollFunctions } from 'n8n-workflow';
import { log } from '../../../nodes/ConversationIntelligencePollTrigger/log';

test('writes one visible line of limited length, whatever an ID or a name contains', () => {
	const info = jest.fn();
	const node = { id: 'node', name: 'Poll\u202e' };
	log({ getNode: () => node, logger: { info } } as unknown as IPollFunctions, 'info', 'delivers a\nb');
	expect(info).toHaveBeenCalledWith('"Poll\\u202e" delivers a\\u000ab', {
		nodeId: 'node',
		nodeName: 'Poll\\u202e',
	});
	log({ getNode: () => node, logger: { info } } as unknown as IPollFunctions, 'info', 'x'.repeat(1_000_000));
	expect(info.mock.lastCall![0]).toHaveLength(1001);
});
