import { readRequest } from '../../../../nodes/ConversationIntelligence/getMany/request';
import { Item } from '../../../../nodes/shared/node/item';
import { NODE, scriptedService } from '../../shared/http/scriptedService';

test.each([
	[{ returnAll: true, limit: 20 }, 20],
	[{ returnAll: true }, 10],
])('an agent gets few rows, whatever Return All says: of %j, %i', (more, maxRows) => {
	const node = { ...NODE, type: `${NODE.type}Tool` };
	const parameters = { dateRange: 'today', ...more };
	const { context } = scriptedService({ responses: [], node, parameters });
	expect(readRequest(new Item(context, 0), { simplified: [] })).toMatchObject({ maxRows });
});
