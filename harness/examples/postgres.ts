import { dirname } from 'node:path';

import type { N8nClient } from '../n8n/client';
import { startPostgres, type Postgres } from '../queue/postgres';
import { POSTGRES } from '../tools/systemTools';

/**
 * Starts a PostgreSQL for the examples, if it is installed.
 *
 * @param folder an existing folder for its data
 * @param signal aborts the start
 */
export async function startExamplePostgres(
	folder: string,
	signal?: AbortSignal,
): Promise<Postgres | undefined> {
	const initdb = POSTGRES.find();
	return initdb ? await startPostgres(dirname(initdb), folder, signal) : undefined;
}

/** Saves its credential. Examples that are imported afterwards use it. */
export async function savePostgresCredential(
	client: N8nClient,
	{ n8nEnvironment }: Pick<Postgres, 'n8nEnvironment'>,
): Promise<void> {
	await client.saveCredential('postgres', {
		host: n8nEnvironment.DB_POSTGRESDB_HOST,
		port: Number(n8nEnvironment.DB_POSTGRESDB_PORT),
		database: n8nEnvironment.DB_POSTGRESDB_DATABASE,
		user: n8nEnvironment.DB_POSTGRESDB_USER,
		// The server trusts every local user.
		password: '',
		ssl: 'disable',
	});
}
