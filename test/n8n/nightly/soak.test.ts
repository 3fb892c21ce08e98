import { setTimeout as delay } from 'node:timers/promises';
import { SIGNING_SECRET } from '../../../harness/credentials';
import { errorOf, itemsOf } from '../../../harness/n8n/execution';
import { workflowNode as node, type WorkflowFile } from '../../../harness/n8n/workflowFile';
import { activeUsers } from '../../../harness/sendAppointment';
import { memoryOf } from '../../../harness/processes/memory';
import type { FaultRequest } from '../../../sandbox/faults/fault';
import { mappedByHand } from '../../support/columns';
import { behind, exportWorkflow, nodeWorkflow } from '../../support/exportWorkflow';
import { progress } from '../../support/n8n';
import { KeyedServer } from '../../support/scriptedServer';
import { useServers, useTestbed } from '../../support/testbed';
import { pollWorkflow, webhookWorkflow } from '../../support/triggerWorkflows';
import { writeLongRun } from './faultsPage';

/** `SOAK_MINUTES=60`, with a conversation per second, equals six weeks of twenty reps with six visits a day. */
const MINUTES = Number(process.env.SOAK_MINUTES ?? 2);
const SECONDS_OF_FAULT = 20;
const SECONDS_OF_LIFE = Math.min(150, MINUTES * 20);
const RANGE_START = '2020-01-01T00:00:00Z';

/** One after another, on both APIs. */
const FAULTS: Array<Omit<FaultRequest, 'path'>> = [
	{ kind: 'tooManyRequests', probability: 0.2, retryAfterSeconds: 1 },
	{ kind: 'serverError', probability: 0.2 },
	{ kind: 'latency', milliseconds: 1500 },
	{ kind: 'connectionReset', probability: 0.2 },
	{ kind: 'truncatedBody', probability: 0.1 },
	{ kind: 'usagePlan', ratePerSecond: 10 },
	{ kind: 'lostResponse', probability: 0.1 },
	{ kind: 'htmlPage', probability: 0.05 },
	{ kind: 'serverError' },
	{ kind: 'brokenJson', probability: 0.05 },
];

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
		...{ event_id: '={{ $json.conversationId }}', user_email: userEmail },
		...{ start_time: '={{ $json.date }}', end_time: '={{ $json.date }}' },
		...{ title: '=Visit {{ $json.conversationId }}', customer_name: 'Ada Kim' },
		customer_id: '={{ $json.conversationId }}',
	});
	const { nodes } = nodeWorkflow('conversationIntelligenceAppointments', { operation: 'upsert', columns });
	const both = behind(file, [{ ...nodes[1], name: 'Create or Update' }]);
	const connections = { ...both.connections, [schedule.name]: file.connections[file.nodes[0].name] };
	return { ...both, nodes: [schedule, ...both.nodes], connections };
}

describe('polls, webhooks, exports and appointments in the same real n8n', () => {
	const { sandbox, n8n, restart } = useTestbed({
		conversations: 20,
		webhookRetryDelaysMs: [1000, 5000, 20_000],
	});
	const [sink] = useServers(new KeyedServer());

	test(
		`lose nothing in ${MINUTES} minutes of changing faults and kills, and use no more memory`,
		async () => {
			const [rep] = activeUsers(sandbox);
			const webhook = webhookWorkflow({}, `${sink.url}/webhook`);
			const received = await n8n.client.publish(webhook.file);
			await n8n.client.publish(pollWorkflow({}, `${sink.url}/poll`));
			const scheduled = await n8n.client.publish(exportToAppointments(rep));
			const range = { fromDate: RANGE_START, toDate: '={{ $now.plus({ minutes: 1 }).toISO() }}' };
			const exported = await n8n.client.importWorkflow(exportWorkflow(range));
			const url = `${n8n.url}/webhook/${webhook.path}`;
			sandbox.webhooks.subscriptions.add({ url, secret: SIGNING_SECRET });

			const known = sandbox.control.conversationIds(0, 20);
			const inserted: string[] = [];
			const exports = { complete: 0, failed: 0, interrupted: 0 };
			const incomplete: string[] = [];
			/** Exports everything; one that succeeds has what existed when it began, once. */
			const exportAll = async () => {
				const before = [...known, ...inserted];
				const execution = await n8n.client.run(exported).catch(() => undefined);
				if (execution === undefined) exports.interrupted++;
				else if (errorOf(execution)) exports.failed++;
				else {
					exports.complete++;
					const ids = itemsOf(execution).map(({ json }) => String(json.conversationId));
					incomplete.push(...before.filter((id) => ids.filter((one) => one === id).length !== 1));
				}
			};

			const peaks: number[] = [0];
			let exporting: Promise<void> | undefined;
			let kills = 0;
			const startedAt = Date.now();
			const seconds = () => (Date.now() - startedAt) / 1000;
			for (let fault = -1; seconds() < MINUTES * 60; ) {
				inserted.push(...sandbox.control.insertConversations({ announce: true }));
				if (seconds() > (fault + 1) * SECONDS_OF_FAULT) {
					fault++;
					sandbox.faults.clear();
					for (const path of ['/data', '/crm'])
						sandbox.faults.add({ ...FAULTS[fault % FAULTS.length], path, seed: fault });
				}
				exporting ??= exportAll().finally(() => (exporting = undefined));
				peaks[peaks.length - 1] = Math.max(peaks.at(-1)!, memoryOf(n8n.service.pid).residentMB);
				if (seconds() > (kills + 1) * SECONDS_OF_LIFE && seconds() < MINUTES * 60 - 10) {
					kills++;
					await n8n.kill();
					await restart();
					peaks.push(0);
				}
				await delay(1000);
			}
			const lasted = Math.round(seconds() / 60);

			sandbox.faults.clear();
			await exporting;
			while (inserted.some((id) => !sink.writes.has(`poll/${id}`))) await delay(500);
			const execution = await n8n.client.run(scheduled, { trigger: 'Manual Trigger' });
			expect(errorOf(execution)).toBeUndefined();
			const booked = sandbox.control.appointments().map(({ event_id, title }) => `${event_id}: ${title}`);
			const expected = [...known, ...inserted].map((id) => `${id}: Visit ${id}`);
			expect(booked.sort()).toEqual(expected.sort());
			await exportAll();
			expect(incomplete).toEqual([]);

			while (sandbox.webhooks.deliveries().some(({ state }) => state === 'pending')) await delay(500);
			const filter = encodeURIComponent(JSON.stringify({ workflowId: received, status: ['crashed'] }));
			const path = `/executions?filter=${filter}`;
			const { count: crashed } = await n8n.client.session.rest<{ count: number }>('GET', path);
			const acknowledged = sandbox.webhooks.deliveries().filter(({ state }) => state === 'delivered');
			const isLost = (id: string) => !sink.writes.has(`webhook/${id}`);
			// What was acknowledged last may still be running.
			for (let wait = 0; wait < 60 && acknowledged.some((one) => isLost(one.conversationId)); wait++)
				await delay(500);
			const lost = acknowledged.filter(({ conversationId }) => isLost(conversationId));
			expect(lost.length).toBeLessThanOrEqual(crashed);

			const repeated = inserted.filter((id) => sink.writes.get(`poll/${id}`)! > 1).length;
			const [most, requests] = [Math.round(Math.max(...peaks)), sandbox.requests.count()];
			const number = (value: number) => value.toLocaleString('en-US');
			const section = [
				`A real n8n with a webhook trigger, a poll trigger, exports and appointments. The faults of the local service changed every ${SECONDS_OF_FAULT} seconds, and n8n was killed every ${SECONDS_OF_LIFE} seconds. The published run lasted **${lasted} minutes**; every night it lasts an hour.`,
				'',
				'| What | Result |',
				'| --- | --- |',
				`| Kills of n8n | ${kills} |`,
				`| Requests to the local service | ${number(requests)} |`,
				`| Conversations that were processed, and delivered by the poll trigger | ${number(inserted.length)} and ${number(inserted.length)}, ${number(repeated)} of them more than once |`,
				`| Exports of everything | ${exports.complete} complete, ${exports.failed} failed with an error, ${exports.interrupted} interrupted by a kill; none with a conversation missing or twice |`,
				`| Appointments | ${number(booked.length)}, equal to the rows |`,
				`| Webhook deliveries that n8n acknowledged | ${number(acknowledged.length)}; ${lost.length} had no result, and n8n calls ${crashed} of their executions crashed |`,
				`| Memory of n8n, at most | ${number(most)} MB |`,
			].join('\n');
			progress(section);
			if (process.env.UPDATE_DOCS) writeLongRun(section);
			// Each life of n8n warms up again, and the exports grow; a leak of a life would show in all.
			const half = Math.ceil(peaks.length / 2);
			const [early, late] = [Math.max(...peaks.slice(0, half)), Math.max(...peaks.slice(half))];
			if (MINUTES >= 20) expect(late).toBeLessThan(early * 1.5);
			expect(most).toBeLessThan(2500);
		},
		MINUTES * 60_000 + 900_000,
	);
});
