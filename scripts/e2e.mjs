// `npm run test:e2e`: the tests with a real n8n and in queue mode. Some run three at a time, the others alone, because they
// measure time or drive a browser. `-- --testPathPatterns poll` runs what matches alone.
import { spawnSync } from 'node:child_process';

const SIDE_BY_SIDE = 'agents|examples(Appointments|Data)|limits|neighbours|poll|trigger';

const given = process.argv.slice(2);
const runs =
	given.length > 0
		? [['--runInBand', ...given]]
		: [
				['--maxWorkers=3', `--testPathPatterns=n8n/(${SIDE_BY_SIDE})`],
				['--runInBand', `--testPathPatterns=n8n/(?!${SIDE_BY_SIDE}|nightly)`],
			];
const jest = ['node_modules/jest/bin/jest.js', '--selectProjects', 'n8n', 'queue'];
const statuses = runs.map(
	(run) => spawnSync(process.execPath, [...jest, ...run], { stdio: 'inherit' }).status,
);
process.exitCode = statuses.every((status) => status === 0) ? 0 : 1;
