import { conversationRequest } from '../../../../nodes/shared/exportApi/endpoints';
import type { ServiceResponse } from '../../../../nodes/shared/http';

const response = (status: number) => ({ status }) as ServiceResponse;

// D1-GET-01
test('a conversation is requested by its encoded ID, and only a 404 is explained', () => {
	const { explain, ...request } = conversationRequest('a/b c', 'Check the ID.');
	expect(request).toStrictEqual({
		credentialType: 'conversationExportApi',
		method: 'GET',
		path: '/export/conversations/a%2Fb%20c',
	});
	expect(explain?.(response(404))).toStrictEqual({
		message: 'The conversation does not exist or is outside the teams of this key',
		advice: 'Check the ID.',
		code: 'conversation_not_found',
		retryable: undefined,
	});
	expect(explain?.(response(403))).toBeUndefined();
	expect(conversationRequest('a').explain?.(response(404))?.advice).toBe('');
});
