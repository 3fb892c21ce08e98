import { count, percent, ratio, table } from '../markdown';
import { pRetry } from './careful';
import { CONCURRENCY, own, type Contestant, type Trial } from './contestants';
import { SCENARIOS, type Scenario } from './scenarios';
import { refusing } from './services';
import { onVirtualClock } from './virtualClock';

const SEED = 1;

/** Refusals while the limiter still learns do not count. */
const LEARNING_MS = 5000;

const trial = async (contestant: Contestant, { items, makeStatusAt, ...service }: Scenario) =>
	await onVirtualClock(SEED, async () => await contestant(items, { ...service, statusAt: makeStatusAt() }));

function line(
	name: string,
	scenario: Scenario,
	{ sent, failed, endedAt }: Trial,
	idealSeconds: number,
): string[] {
	const refused = (some: Trial['sent']) =>
		percent(some.filter(({ status }) => status !== 200).length / Math.max(1, some.length));
	const isHopeless = failed === scenario.items;
	return [
		scenario.name,
		name,
		isHopeless ? `${(endedAt / 1000).toFixed(0)} s` : ratio(endedAt / 1000 / idealSeconds),
		count(sent.length),
		refused(sent),
		refused(sent.filter(({ at }) => at > LEARNING_MS)),
		`${count(failed)} of ${count(scenario.items)}`,
	];
}

/** Runs the package's own limiter and retry loop, and p-retry with p-limit, against simulated services. */
export async function compareRefusals(): Promise<string> {
	const lines: string[][] = [];
	for (const scenario of SCENARIOS) {
		const calm = await trial(own, { ...scenario, makeStatusAt: refusing(0) });
		const ideal = scenario.idealSeconds ?? calm.endedAt / 1000;
		lines.push(line('Conversation Intelligence', scenario, await trial(own, scenario), ideal));
		lines.push(line('p-retry, p-limit', scenario, await trial(pRetry, scenario), ideal));
	}
	return `## Services that refuse requests

\`npm run bench -- limiter\`: the package's own limiter and retry loop, and \`p-retry\` with \`p-limit\` (10 retries, doubling from 0.5 s to
30 s, with jitter), ${CONCURRENCY} requests at a time, against simulated services on a virtual clock, seeded. Uniform latency is 50 ms; of mixed latencies,
2 % take 3 s and 18 % take 300 ms; "refused at once" is a 429 after 2 ms, as a gateway sends it. Time is ÷ the same items without refusals, or ÷ the shortest time that the plan or the quota allows;
in seconds where every item fails.

${table(['Service', 'Sent by', 'Time', 'Requests', 'Refused', 'Refused after 5 s', 'Items failed'], lines)}
`;
}
