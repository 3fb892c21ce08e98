import { dirname } from 'node:path';

import type { Report } from '../problem';
import { ensureTools } from '../tools/install';
import { POSTGRES, REDIS } from '../tools/systemTools';

/** The programs that queue mode needs besides n8n. */
export interface QueueTools {
	redisServer: string;
	/** The folder with `initdb`, `postgres` and `createdb`. */
	postgresFolder: string;
}

/**
 * Finds Redis and PostgreSQL, after installing them if needed and possible (as root, with apt-get).
 *
 * @throws {HarnessProblem} that names what is missing
 */
export async function ensureQueueTools(report: Report, signal?: AbortSignal): Promise<QueueTools> {
	await ensureTools([REDIS, POSTGRES], { report, signal });
	return { redisServer: REDIS.find()!, postgresFolder: dirname(POSTGRES.find()!) };
}
