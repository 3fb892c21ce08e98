import { UserError, type IExecuteFunctions, type INode } from 'n8n-workflow';
import { Item } from '../../../../nodes/shared/item';
import { download } from '../../../../nodes/ConversationIntelligence/downloads/download';

const ID = '3f2b8c1e-5d7a-4c66-9b1f-0a2d4e6f8a10';

test("shows n8n's own refusal of a download as it is, and does not repeat it", async () => {
	const refusal = new UserError('The request was blocked', { description: 'Ask your n8n administrator.' });
	let requests = 0;
	const context = {
		getNode: () => ({ name: 'Node', type: 'conversationIntelligence' }) as INode,
		getInputData: () => [
			{
				json: {
					conversationId: ID,
					audioUrl: 'https://media.example/a',
					urlsExpireAt: '2100-01-01T00:00:00Z',
				},
			},
		],
		helpers: {
			httpRequest: async () => {
				requests++;
				throw new Error('Request failed', { cause: refusal });
			},
		},
	};
	const item = new Item(context as unknown as IExecuteFunctions, 0);
	const downloading = download(item, 'audio', ID, async () => 'taken');

	await expect(downloading).rejects.toMatchObject({
		message: 'The request was blocked [Item 0]',
		description: 'Ask your n8n administrator.',
	});
	expect(requests).toBe(1);
});
