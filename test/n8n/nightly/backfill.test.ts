import { saveSandboxCredentials } from '../../../harness/credentials';
import { startQueueMode } from '../../../harness/queue/start';
import { startSandbox } from '../../../sandbox';
import { nodeWorkflow } from '../../support/exportWorkflow';
import { progress } from '../../support/n8n';
import { KeyedServer } from '../../support/scriptedServer';
import { pollWorkflow } from '../../support/triggerWorkflows';
import { inRow } from '../../../harness/n8n/workflowFile';

const COUNT = 20_000;
const YEAR_MS = 365 * 24 * 60 * 60_000;

/** Makes n8n notice a lost worker after about 5 instead of 90 seconds. */
const env = {
	QUEUE_WORKER_LOCK_DURATION: '5000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '1000',
	QUEUE_WORKER_STALLED_INTERVAL: '2000',
	EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'none',
};

test('archives 20,000 transcripts of a year with two workers, although one is killed in the middle', async () => {
	const sandbox = await startSandbox({ conversations: 0 });
	const sink = await KeyedServer.start();
	const queue = await startQueueMode({ webhookProcesses: 1, workers: 2, env });
	const { client } = queue.main;
	try {
		const start = Date.now() - YEAR_MS;
		const ids: string[] = [];
		for (let n = 0; n < COUNT; n++) {
			const date = new Date(start + (n * (YEAR_MS - 60_000)) / COUNT).toISOString();
			ids.push(...sandbox.control.insertConversations({ date }));
		}
		await saveSandboxCredentials(client, sandbox);
		const started = Date.now();
		const workflowId = await client.publish(archiveWorkflow(start, sink.url));
		let half = started;
		for (let tenth = 1; tenth <= 10; tenth++) {
			await sink.waitForKeys(Math.floor((COUNT * tenth) / 10));
			progress(`${sink.writes.size} of ${COUNT} transcripts`);
			if (tenth !== 5) continue;
			half = Date.now();
			await queue.worker.service.kill();
			progress('Killed a worker');
		}
		const end = Date.now();
		await client.unpublish(workflowId);
		const rate = (milliseconds: number) => ((COUNT / 2 / milliseconds) * 1000).toFixed(1);
		progress(`${rate(half - started)}/s with two workers, ${rate(end - half)}/s with the one left`);
		expect([...sink.sizes.keys()].sort()).toEqual([...ids].sort());
		expect(Math.min(...sink.sizes.values())).toBeGreaterThan(100);
	} finally {
		await queue.stop();
		await sink.close();
		await sandbox.close();
	}
}, 9_000_000);

/** Polls, downloads each transcript and puts it into the sink. */
function archiveWorkflow(start: number, sinkUrl: string) {
	const startDate = new Date(start - 60_000).toISOString();
	const options = { startExecutionFor: 'conversation', maxConversationsPerPoll: 200 };
	const file = pollWorkflow({ startFrom: 'date', startDate, options }, sinkUrl);
	const [trigger, write] = file.nodes;
	const { nodes } = nodeWorkflow('conversationIntelligence', {
		...{ resource: 'conversation', operation: 'downloadTranscript', transcriptOutput: 'file' },
		conversationId: { __rl: true, mode: 'id', value: '={{ $json.conversationId }}' },
	});
	const url = `=${sinkUrl}/{{ $('${trigger.name}').item.json.dedupeKey }}`;
	const body = { sendBody: true, contentType: 'binaryData', inputDataFieldName: 'data' };
	const archive = { ...write, parameters: { method: 'PUT', url, ...body, options: {} } };
	return { ...file, ...inRow(trigger, nodes[1], archive) };
}
