import { scriptedExport } from '../exportNode';

const ALSO = { alsoInclude: ['awaitingUpload', 'errored'] };

describe('Conversation Intelligence: rows of several arrays', () => {
	const { server, run } = scriptedExport();

	test('reports data that does not match the documentation with its array', async () => {
		const row = {
			recordingId: 'r',
			date: '2026-01-01T00:00:00Z',
			title: null,
			duration: 1,
			crmEventID: null,
		};
		const user = { id: 'u', name: null, email: 'ana@example.com' };
		const recording = { ...row, user, jobNumber: null, stLink: null, totalSold: null, customFields: null };
		const page = {
			totalConversations: 1,
			// Its kind is unknown, so it is compared with nothing.
			conversations: [{ conversationId: 'c', date: row.date, kind: 'vip' }],
			totalAwaitingUpload: 2,
			awaitingUpload: [{ ...recording, outcome: 7 }, null],
			totalErrored: 1,
			errored: [{ ...recording, recordingId: 's', outcome: null, processedDate: null }],
		};
		server.respond([{ status: 200, body: JSON.stringify(page) }]);
		const { hints } = await run({ options: ALSO });

		expect(hints.map(({ message }) => message)).toEqual([
			'Unexpected data: in conversations, The row is not an object; in awaitingUpload, outcome is not text; in errored, error is missing. Rows are returned unchanged.',
		]);
	});
});
