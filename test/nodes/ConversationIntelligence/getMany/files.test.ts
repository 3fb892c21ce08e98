import type { IDataObject } from 'n8n-workflow';
import type { NodeRun } from '../../../support/engine';
import { sandboxExport } from '../exportNode';
import { RANGE } from '../listing';

describe('Conversation Intelligence: files', () => {
	const { engine, run: list } = sandboxExport({ conversations: 220 });

	const run = async (parameters: object, options = {}) =>
		await list({ outputAs: 'file', ...parameters }, options);
	const textOf = async ({ items }: NodeRun, field = 'data') =>
		(await engine.binary(items[0].binary![field])).toString('utf8');
	const rowsOf = async (file: NodeRun) =>
		(await textOf(file))
			.trimEnd()
			.split('\n')
			.map((line) => JSON.parse(line) as IDataObject);

	test('NDJSON contains each conversation once, in order and complete, next to a summary', async () => {
		const { items } = await list();
		const file = await run({});

		const links = { urlsExpireAt: null, transcriptUrl: null, audioUrl: null };
		const expected = items.map(({ json }) => ({ ...json, ...links }));
		expect((await rowsOf(file)).map((row) => ({ ...row, ...links }))).toEqual(expected);
		expect(file.items.map(({ json }) => json)).toEqual([
			{
				...{ fileName: 'conversations_2020-01-01T0000_2030-01-01T0000.ndjson', rows: 220, complete: true },
				...{ pages: 5, requests: 5, totalConversations: 220, seconds: expect.any(Number) },
				...{ fromDate: '2020-01-01T00:00:00.000Z', toDate: '2030-01-01T00:00:00.000Z' },
				bytes: Buffer.byteLength(await textOf(file)),
			},
		]);
		expect(file.hints).toEqual([]);
	});

	test('of one run never have the same name', async () => {
		const hours = ['10', '11', '11'].map((hour) => `2025-03-01T${hour}`);
		const input = hours.map((hour) => ({ json: { from: `${hour}:00:00`, to: `${hour}:59:59` } }));
		const range = { ...RANGE, fromDate: '={{ $json.from }}', toDate: '={{ $json.to }}' };
		const { items } = await run(
			{ ...range, fileFormat: 'csvForExcel' },
			{ input, timezone: 'Asia/Kathmandu' },
		);

		const names = ['T1000_2025-03-01T1059', 'T1100_2025-03-01T1159', 'T1100_2025-03-01T1159_2'].map(
			(end) => `conversations_2025-03-01${end}.csv`,
		);
		expect(items.map(({ json }) => json.fileName)).toEqual(names);
		expect(items.map(({ binary }) => binary!.data.fileName)).toEqual(names);
	});
});
