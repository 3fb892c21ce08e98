import { saveSandboxCredentials } from '../../harness/credentials';
import { startQueueMode } from '../../harness/queue/start';
import { startSandbox } from '../../sandbox';
import { progress, TARBALL } from './n8n';
import { KeyedServer } from './scriptedServer';
import { pollWorkflow, publish } from './triggerWorkflows';
import { inRow, workflowNode } from '../../harness/n8n/workflowFile';

const YEAR_MS = 365 * 24 * 60 * 60_000;

/** Makes n8n notice a lost worker after about 5 instead of 90 seconds. */
const env = {
	QUEUE_WORKER_LOCK_DURATION: '5000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '1000',
	QUEUE_WORKER_STALLED_INTERVAL: '2000',
	EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'none',
};

/**
 * Archives the transcripts of a year's conversations with n8n's queue mode and two workers, one of which is killed when
 * half of them are archived.
 *
 * @returns the IDs that exist, the size of each archived transcript in bytes, and the conversations per second of two
 *   workers and of the one that was left
 */
export async function backfillYear(count: number) {
	const sandbox = await startSandbox({ conversations: 0 });
	const sink = await KeyedServer.start();
	const queue = await startQueueMode({
		webhookProcesses: 1,
		workers: 2,
		env,
		tarball: process.env[TARBALL],
		report: progress,
	});
	try {
		const start = Date.now() - YEAR_MS;
		const ids: string[] = [];
		for (let n = 0; n < count; n++) {
			const date = new Date(start + (n * (YEAR_MS - 60_000)) / count).toISOString();
			ids.push(...sandbox.control.insertConversations({ date }));
		}
		await saveSandboxCredentials(queue.main.client, sandbox);
		const started = Date.now();
		const workflowId = await publish(queue.main.client, archiveWorkflow(start, sink.url));
		let half = started;
		for (let tenth = 1; tenth <= 10; tenth++) {
			await sink.waitForKeys(Math.floor((count * tenth) / 10));
			progress(`${sink.writes.size} of ${count} transcripts`);
			if (tenth !== 5) continue;
			half = Date.now();
			await queue.worker.service.kill();
			progress('Killed a worker');
		}
		const end = Date.now();
		await queue.main.client.unpublish(workflowId);
		const rate = (milliseconds: number) => Math.round((count / 2 / milliseconds) * 10_000) / 10;
		const rates = { two: rate(half - started), one: rate(end - half) };
		progress(`${count} transcripts: ${rates.two}/s with two workers, ${rates.one}/s with the one left`);
		return { ids, sizes: sink.sizes, rates };
	} finally {
		await queue.stop();
		await sink.close();
		await sandbox.close();
	}
}

function archiveWorkflow(start: number, sinkUrl: string) {
	const file = pollWorkflow(
		{
			startFrom: 'date',
			startDate: new Date(start - 60_000).toISOString(),
			options: { startExecutionFor: 'conversation', maxConversationsPerPoll: 200 },
		},
		sinkUrl,
	);
	const [trigger, write] = file.nodes;
	const download = {
		...workflowNode(
			'Download Transcript',
			'n8n-nodes-conversation-intelligence.conversationIntelligence',
			1,
			{
				resource: 'conversation',
				operation: 'downloadTranscript',
				conversationId: { __rl: true, mode: 'id', value: '={{ $json.conversationId }}' },
				transcriptOutput: 'file',
			},
		),
		credentials: { conversationExportApi: { id: '', name: '' } },
	};
	const archive = {
		...write,
		parameters: {
			method: 'PUT',
			url: `=${sinkUrl}/{{ $('${trigger.name}').item.json.dedupeKey }}`,
			sendBody: true,
			contentType: 'binaryData',
			inputDataFieldName: 'data',
			options: {},
		},
	};
	return { ...file, ...inRow(trigger, download, archive) };
}
