import { parseArgs } from 'node:util';
import { saveSandboxCredentials } from '../../playground/credentials';
import { startSandbox } from '../../sandbox';
import { startTestN8n } from '../../test/support/n8n';
import { httpRequestNode, ownNode } from './contestants';
import { measure, type Result, type Trial } from './measure';
import { section, type Measurements } from './section';

const FULL = { items: 2000, latencyMs: 50, seeds: 20, oneFaultIn: 50 };
const QUICK = { ...FULL, items: 300, seeds: 2 };

/** This package's node against the HTTP Request node, in one real n8n, without and with faults. */
export const benchmark = {
	async run(args: string[]): Promise<string> {
		const { values } = parseArgs({
			args,
			options: {
				quick: { type: 'boolean' },
				seeds: { type: 'string' },
				concurrency: { type: 'string', default: '5' },
			},
		});
		const size = { ...(values.quick ? QUICK : FULL), ...(values.seeds && { seeds: Number(values.seeds) }) };
		const concurrency = Number(values.concurrency);
		const sandbox = await startSandbox({ conversations: 10, awaitingUpload: 0, errored: 0 });
		const n8n = await startTestN8n();
		try {
			await saveSandboxCredentials(n8n.client, sandbox);
			const { organization } = sandbox.keys;
			await n8n.client.saveCredential('httpHeaderAuth', { name: 'x-api-key', value: organization });
			const own = ownNode(concurrency);
			const other = httpRequestNode(sandbox.crmUrl);
			const trial = async (given: Pick<Trial, 'contestant' | 'seed' | 'oneFaultIn'>): Promise<Result> => {
				const result = await measure(n8n.client, sandbox, {
					items: size.items,
					latencyMs: size.latencyMs,
					...given,
				});
				console.error(
					given.contestant.name,
					`seed ${given.seed}`,
					given.oneFaultIn ? 'with faults' : 'no fault',
					result,
				);
				return result;
			};
			const measurements: Measurements = { size, concurrency, calm: [], faulty: [] };
			// The first run of each warms n8n up and is not counted.
			for (const contestant of [own, other]) await trial({ contestant, seed: 1000 });
			for (const seed of [1001, 1002, 1003]) {
				measurements.calm.push({
					own: await trial({ contestant: own, seed }),
					other: await trial({ contestant: other, seed }),
				});
			}
			const { oneFaultIn } = size;
			for (let seed = 1; seed <= size.seeds; seed++) {
				measurements.faulty.push({
					own: await trial({ contestant: own, seed, oneFaultIn }),
					other: await trial({ contestant: other, seed, oneFaultIn }),
				});
			}
			return section(measurements);
		} finally {
			await n8n.stop();
			await sandbox.close();
		}
	},
};
