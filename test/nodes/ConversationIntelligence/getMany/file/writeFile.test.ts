import { gunzipSync } from 'node:zlib';
import type { IDataObject } from 'n8n-workflow';
import { ConversationIntelligence } from '../../../../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import { scriptedEngine } from '../../../../support/engine/fixtures';
import { LISTS } from '../../listing';

const ROWS = [
	{ teamId: '1', name: 'A;1', talkRatioAverage: 0.5, novelty: true },
	{ teamId: '2', name: 'v1.5' },
];
/** The range, at the end of each row. */
const ALL_YEARS = { fromDate: '2020-01-01T00:00:00.000Z', toDate: '2030-01-01T00:00:00.000Z' };
const [FROM, TO] = Object.values(ALL_YEARS);

describe('A file of teams', () => {
	const { server, engine } = scriptedEngine([ConversationIntelligence]);

	/** The text of the file, with these fields of each row. */
	const write = async (parameters: IDataObject, fields = ['teamId', 'name', 'talkRatioAverage']) => {
		server.respond([{ status: 200, body: JSON.stringify({ teams: ROWS }) }]);
		const { items, error } = await engine.runNode('conversationIntelligence', {
			...{ ...LISTS.teams, outputAs: 'file', output: 'selectedFields', fields },
			...(parameters as object),
		});
		expect(error).toBeUndefined();
		const { data } = items[0].binary!;
		return { text: (await engine.binary(data)).toString('utf8'), bytes: await engine.binary(data), data };
	};

	test('is NDJSON by default: one row a line, with all fields', async () => {
		const { text, data } = await write({ output: 'raw' });
		expect(text).toBe(ROWS.map((row) => `${JSON.stringify({ ...row, ...ALL_YEARS })}\n`).join(''));
		expect(data).toMatchObject({ mimeType: 'application/x-ndjson', fileExtension: 'ndjson' });
	});

	test('is CSV with all fields, those without a column in the last one', async () => {
		const { text, data } = await write({ fileFormat: 'csv', output: 'raw' });
		const [head, first] = text.split('\r\n');
		expect(head).toMatch(/^name,teamId,.*,otherFields$/);
		expect(first).toMatch(/^"A;1",1,.*0\.5.*,"{""novelty"":true}"$/);
		expect(data).toMatchObject({ mimeType: 'text/csv', fileExtension: 'csv' });
	});

	test('separates cells by commas, and gzip changes nothing', async () => {
		const rows = [`"A;1",1,0.5,${FROM},${TO}`, `v1.5,2,,${FROM},${TO}`];
		const text = ['name,teamId,talkRatioAverage,fromDate,toDate', ...rows, ''].join('\r\n');
		expect((await write({ fileFormat: 'csv' })).text).toBe(text);
		const zipped = await write({ fileFormat: 'csv', fileOptions: { gzip: true } });
		expect(gunzipSync(zipped.bytes).toString('utf8')).toBe(text);
		expect(zipped.data).toMatchObject({ mimeType: 'application/gzip', fileExtension: 'gz' });
	});

	test('is CSV for Excel with a mark, semicolons and decimal commas; other values stay', async () => {
		const { text } = await write({ fileFormat: 'csvForExcel' });
		const rows = [`"A;1";1;"0,5";${FROM};${TO}`, `v1.5;2;;${FROM};${TO}`];
		const head = '\uFEFFname;teamId;talkRatioAverage;fromDate;toDate';
		expect(text).toBe([head, ...rows, ''].join('\r\n'));
	});
});
