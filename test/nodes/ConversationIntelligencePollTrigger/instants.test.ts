import type { IDataObject } from 'n8n-workflow';
import { ConversationIntelligencePollTrigger } from '../../../nodes/ConversationIntelligencePollTrigger/ConversationIntelligencePollTrigger.node';
import { documentedRow } from '../../support/engine/documentedRow';
import { scriptedEngine } from '../../support/engine/fixtures';

/** The same instant as a clock in India shows it. */
const inIndia = (time: number) => new Date(time + 5.5 * 3_600_000).toISOString().replace('Z', '+05:30');

const { server, engine } = scriptedEngine([ConversationIntelligencePollTrigger]);

// D1-EXP-04, D1-EXPBODY-03, D1-CONVENTION-02, D1-CONV-04, D1-CONV-01, D1-WH-03, D1-WH-07
test('compares instants in any ISO 8601 form, and delivers what was processed again', async () => {
	const processed = Date.now() - 60_000;
	let row = documentedRow('ConversationsExport', { processedDate: new Date(processed).toISOString() });
	server.respond(({ body }) => {
		expect(body).toMatchObject({ dateType: 'processedDate', page: 1 });
		return { status: 200, body: JSON.stringify({ conversations: [row], totalConversations: 1 }) };
	});
	const parameters = { startFrom: 'date', startDate: new Date(processed - 60_000).toISOString() };
	const { poll } = engine.poller('conversationIntelligencePollTrigger', parameters);
	const delivered = async (processedDate: string) => {
		row = { ...row, processedDate };
		return (await poll()).map(({ json }: { json: IDataObject }) => [json.dedupeKey, json.processedDate]);
	};

	const dates = [new Date(processed).toISOString(), inIndia(processed), inIndia(processed + 1)];
	expect(await delivered(dates[0])).toEqual([[row.conversationId, dates[0]]]);
	expect(await delivered(dates[1])).toEqual([]);
	expect(await delivered(dates[2])).toEqual([[row.conversationId, dates[2]]]);
	expect(await delivered(dates[2])).toEqual([]);
});
