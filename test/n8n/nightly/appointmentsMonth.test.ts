import type { DateTime } from 'luxon';
import {
	AVA,
	BEN,
	CUSTOMER,
	DAY,
	LONG_AGO,
	VISIT,
	WRITERS,
	type Visit,
} from '../../../harness/examples/visits';
import { errorOf } from '../../../harness/n8n/execution';
import { exampleWorkflows } from '../../../harness/workflows';
import { Random } from '../../../sandbox/data/random';
import { useDoublesTestbed } from '../../support/doublesTestbed';
import { progress } from '../../support/n8n';

/** How many days are simulated; each has a nightly run and four runs a quarter of an hour apart. */
const DAYS = Number(process.env.MONTH_DAYS ?? 30);
const VISITS = 500;
const CHANGES_PER_RUN = 6;
const SLUGS = [...Object.keys(WRITERS), 'sync-appointments'];

const iso = (time: DateTime) => time.toUTC().toISO()!;
const sqlTime = ({ hour, daysLater }: Visit) =>
	DAY.plus({ days: daysLater }).set({ hour }).toFormat('yyyy-MM-dd HH:mm:ss');
const isBooked = ({ guests, isCancelled, isDeleted }: Visit) =>
	!isCancelled && !isDeleted && guests.includes(CUSTOMER);

/** The workflow with a clock of its own in its expressions and its code. */
function at<Nodes>(nodes: Nodes, time: DateTime): Nodes {
	const now = `DateTime.fromISO('${iso(time)}', { zone: 'utc' })`;
	const text = JSON.stringify(nodes).replaceAll('$now', now).replaceAll('$today', `${now}.startOf('day')`);
	return JSON.parse(text) as Nodes;
}

/** The rows of *CRM Rows (replace me)*. */
const crmRow = (visit: Visit) => ({
	...{ event_id: visit.id, status: isBooked(visit) ? 'booked' : 'cancelled', updated_at: visit.changed },
	...{ user_email: AVA, attendee_emails: [AVA, BEN], title: 'Visit' },
	start_time: `${sqlTime(visit)}Z`,
	end_time: `${sqlTime({ ...visit, hour: visit.hour + 1 })}Z`,
	...{ customer_id: CUSTOMER.email, customer_name: CUSTOMER.name },
});

describe('A month of the examples that keep appointments', () => {
	const testbed = useDoublesTestbed(undefined, {
		// The default engine takes some milliseconds for each expression, of which a month has a million.
		N8N_EXPRESSION_ENGINE: 'legacy',
		// On a busy machine, n8n takes a slow answer of its database for a lost one, and its task runner comes late.
		DB_PING_TIMEOUT_MS: '120000',
		N8N_RUNNERS_GRANT_TOKEN_TTL: '600',
		N8N_RUNNERS_TASK_REQUEST_TIMEOUT: '600',
	});

	test.each(SLUGS)(
		'%s: appointments are those of the calendar after each run, with failures, moves and moves back',
		async (slug) => {
			const { sandbox, doubles, n8n } = testbed;
			const random = new Random(SLUGS.indexOf(slug));
			const calendar = new Map<string, Visit>();
			const add = (day: number, changed: string) => {
				const id = `${slug.startsWith('hubspot') ? '' : `${slug}_`}${1000 + calendar.size}`;
				const daysLater = day + random.whole(1, 25);
				calendar.set(id, { id, hour: random.whole(6, 19), daysLater, guests: VISIT, changed });
			};
			const { workflow } = exampleWorkflows().find((one) => one.slug === slug)!;
			const id = await testbed.importExample(slug);
			const imported = await n8n.client.session.api<typeof workflow>('GET', `/workflows/${id}`);
			const run = async (trigger: string, time: DateTime) => {
				const visits = [...calendar.values()];
				WRITERS[slug]?.(doubles, visits);
				const nodes = at(imported.nodes, time).map((node) =>
					node.name === 'CRM Rows (replace me)'
						? { ...node, parameters: { jsCode: `return ${JSON.stringify(visits.map(crmRow))};` } }
						: node,
				);
				const { name, connections, settings } = workflow;
				await n8n.client.session.api('PUT', `/workflows/${id}`, { name, nodes, connections, settings });
				// Loads only failed executions with their data.
				const ended = await n8n.client.waitForEnd(await n8n.client.start(id, trigger));
				return ended.status === 'success' ? undefined : errorOf(await n8n.client.execution(ended.id));
			};
			const expectInStep = (failing: string[] = []) => {
				const stored = sandbox.control
					.appointments()
					.filter(({ event_id }) => calendar.has(event_id) && !failing.includes(event_id))
					.map(({ event_id, start_time }) => `${event_id} ${start_time}`);
				const wanted = [...calendar.values()]
					.filter((visit) => isBooked(visit) && !failing.includes(visit.id))
					.map((visit) => `${visit.id} ${sqlTime(visit)}`);
				expect(stored.sort()).toEqual(wanted.sort());
			};

			while (calendar.size < VISITS) add(0, LONG_AGO);
			for (let day = 0; day < DAYS; day++) {
				const night = DAY.plus({ days: day, hours: 3 });
				const begun = performance.now();
				expect(await run('Every Night', night)).toBeUndefined();
				expectInStep();

				const ahead = [...calendar.values()].filter((one) => isBooked(one) && one.daysLater! > day);
				const moved = random.pick(ahead);
				const failing = ahead[(ahead.indexOf(moved) + 1) % ahead.length];
				const changes: Array<Partial<Visit>> = [
					{ isCancelled: true },
					{ isDeleted: true },
					{ guests: [{ email: AVA }] },
					{ hour: 21 },
				];
				for (let round = 0; round < 4; round++) {
					const time = night.plus({ hours: 7, minutes: 15 * round });
					const changed = iso(time.minus({ minutes: random.whole(1, 14) }));
					const set = (visit: Visit, change: Partial<Visit>) =>
						calendar.set(visit.id, { ...calendar.get(visit.id)!, ...change, changed });
					for (let count = 0; count < CHANGES_PER_RUN; count++) {
						const other = random.pick(ahead);
						if (other.id !== moved.id && other.id !== failing.id) set(other, random.pick(changes));
						add(day, changed);
					}
					// Moved, and back two runs later.
					if (round === 0) set(moved, { hour: 5 });
					if (round === 2) set(moved, { hour: moved.hour });
					// Refused twice, although nothing is wrong with it afterwards and it does not change again.
					if (round === 0) {
						set(failing, { hour: 4 });
						const body = { event_id: failing.id };
						sandbox.faults.add({ kind: 'serverError', status: 422, text: 'refused', method: 'POST', body });
					}
					if (round === 2) sandbox.faults.clear();
					const error = await run('Every 15 Minutes', time);
					expect(error === undefined).toBe(round > 1);
					expectInStep(round > 1 ? [] : [failing.id]);
				}
				const seconds = ((performance.now() - begun) / 1000).toFixed(1);
				progress(`${slug}: day ${day + 1} of ${DAYS} in ${seconds} s, ${calendar.size} visits`);
			}
		},
		3_600_000,
	);
});
