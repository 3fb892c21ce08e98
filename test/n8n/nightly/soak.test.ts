import { setTimeout as delay } from 'node:timers/promises';
import { saveSandboxCredentials, SIGNING_SECRET } from '../../../harness/credentials';
import { errorOf } from '../../../harness/n8n/execution';
import { memoryOf } from '../../../harness/processes/memory';
import { mappedByHand } from '../../support/columns';
import { behind, nodeWorkflow } from '../../support/exportWorkflow';
import { progress } from '../../support/n8n';
import { KeyedServer } from '../../support/scriptedServer';
import { useTestbed } from '../../support/testbed';
import { pollWorkflow, publish, webhookWorkflow } from '../../support/triggerWorkflows';
import { workflowNode as node, type WorkflowFile } from '../../../harness/n8n/workflowFile';

/** `SOAK_MINUTES=60`, with a conversation per second, equals six weeks of twenty reps with six visits a day. */
const MINUTES = Number(process.env.SOAK_MINUTES ?? 2);
const RANGE_START = '2020-01-01T00:00:00Z';

/** Turns conversations into appointments: recent ones every ten seconds, or by hand the whole range. */
function exportToAppointments(userEmail: string): WorkflowFile {
	const schedule = node('Every Ten Seconds', 'n8n-nodes-base.scheduleTrigger', 1.2, {
		rule: { interval: [{ field: 'seconds', secondsInterval: 10 }] },
	});
	const file = nodeWorkflow('conversationIntelligence', {
		dateRange: 'custom',
		fromDate: `={{ $("Manual Trigger").isExecuted ? "${RANGE_START}" : $now.minus({ minutes: 2 }).toISO() }}`,
		toDate: '={{ $now.plus({ minutes: 1 }).toISO() }}',
		returnAll: true,
	});
	const columns = mappedByHand({
		event_id: '={{ $json.conversationId }}',
		user_email: userEmail,
		start_time: '={{ $json.date }}',
		end_time: '={{ $json.date }}',
		title: '=Visit {{ $json.conversationId }}',
		customer_id: '={{ $json.conversationId }}',
		customer_name: 'Ada Kim',
	});
	const { nodes } = nodeWorkflow('conversationIntelligenceAppointments', { operation: 'upsert', columns });
	const both = behind(file, [{ ...nodes[1], name: 'Create or Update' }]);
	const connections = { ...both.connections, [schedule.name]: file.connections[file.nodes[0].name] };
	return { ...both, nodes: [schedule, ...both.nodes], connections };
}

describe('webhook, poll, scheduled export and appointments in the same real n8n', () => {
	const { sandbox, n8n, restart } = useTestbed({ conversations: 20, webhookRetryDelaysMs: [1000, 5000] });
	const sink = new KeyedServer();
	beforeAll(async () => await sink.listen());
	afterAll(async () => await sink.close());

	/** Actions by the share of the whole time at which they happen. */
	const incidents: Array<[share: number, happens: () => Promise<void>]> = [
		[0.2, async () => await n8n.kill().then(restart)],
		[0.35, async () => await saveSandboxCredentials(n8n.client, sandbox, 'a-key-that-was-deleted')],
		[0.45, async () => await saveSandboxCredentials(n8n.client, sandbox)],
		[0.5, async () => await n8n.service.stop().then(restart)],
	];

	test(
		`lose no conversation in ${MINUTES} minutes with faults, restarts and a refused key, and use no more memory`,
		async () => {
			const rep = sandbox.control.users().find(({ isRemoved, isHidden }) => !isRemoved && !isHidden)!;
			const webhook = webhookWorkflow({}, sink.url);
			await publish(n8n.client, webhook.file);
			await publish(n8n.client, pollWorkflow({}, sink.url));
			const scheduled = await publish(n8n.client, exportToAppointments(rep.email));
			sandbox.webhooks.subscriptions.add({
				url: `${n8n.url}/webhook/${webhook.path}`,
				secret: SIGNING_SECRET,
			});
			for (const path of ['/data', '/crm'])
				for (const kind of ['tooManyRequests', 'serverError', 'connectionReset'] as const)
					sandbox.faults.add({ kind, path, probability: 0.02, seed: 1 });

			const inserted: string[] = [];
			const memory: number[] = [];
			const open = [...incidents];
			const startedAt = Date.now();
			const share = () => (Date.now() - startedAt) / (MINUTES * 60_000);
			while (share() < 1) {
				inserted.push(...sandbox.control.insertConversations({ announce: true }));
				if (open.length > 0 && share() > open[0][0]) await open.shift()![1]();
				// Measures only after the last restart, because a new process has to warm up first.
				if (share() > 0.6) memory.push(memoryOf(n8n.service.pid).residentMB);
				await delay(1000);
			}

			sandbox.faults.clear();
			await sink.waitForKeys(inserted.length);
			const execution = await n8n.client.run(scheduled, { trigger: 'Manual Trigger' });
			expect(errorOf(execution)).toBeUndefined();
			expect([...sink.writes.keys()].sort()).toEqual([...inserted].sort());
			const booked = new Map(sandbox.control.appointments().map((one) => [one.event_id, one.title]));
			expect(inserted.filter((id) => booked.get(id) !== `Visit ${id}`)).toEqual([]);

			const half = Math.floor(memory.length / 2);
			const [before, after] = [memory.slice(0, half), memory.slice(half)].map(median);
			const writes = [...sink.writes.values()].reduce((sum, count) => sum + count, 0);
			progress(
				JSON.stringify({
					conversations: inserted.length,
					writes,
					requests: sandbox.requests.count(),
					memoryMB: [before, after].map(Math.round),
				}),
			);
			// A short run ends while n8n is still warming up.
			if (MINUTES >= 20) expect(after).toBeLessThan(before * 1.25);
		},
		MINUTES * 60_000 + 600_000,
	);
});

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
