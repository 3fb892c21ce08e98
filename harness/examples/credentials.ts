import type { N8nClient } from '../n8n/client';
import type { Postgres } from '../queue/databases';
import { TOKEN, type Doubles } from './doubles';
import { INSTANCE_URL } from './services';

/** The header with which a dialer calls its webhook. */
export const DIALER = { name: 'x-dialer-key', value: TOKEN };

/** Saves credentials for the doubles. Examples that are imported afterwards use them. */
export async function saveDoubleCredentials(client: N8nClient, { url, mailbox }: Doubles): Promise<void> {
	const keys = { region: 'us-east-1', accessKeyId: TOKEN, secretAccessKey: TOKEN };
	const oauthTokenData = { access_token: TOKEN, token_type: 'Bearer', instance_url: INSTANCE_URL };
	const oauth = { clientId: TOKEN, clientSecret: TOKEN, oauthTokenData };
	const mail = { host: '127.0.0.1', port: mailbox.port, secure: false, disableStartTls: true };
	const all: Array<[type: string, name: string, data: Parameters<N8nClient['saveCredential']>[1]]> = [
		['openAiApi', 'Language model', { apiKey: TOKEN, url: `${url}/v1` }],
		['s3', 'Storage', { endpoint: `${url}/storage`, ...keys, forcePathStyle: true }],
		['slackApi', 'Slack', { accessToken: TOKEN }],
		['hubspotAppToken', 'HubSpot', { appToken: TOKEN }],
		['httpHeaderAuth', 'Dialer', DIALER],
		['googleSheetsOAuth2Api', 'Google Sheets', oauth],
		['googleCalendarOAuth2Api', 'Google Calendar', oauth],
		['microsoftOutlookOAuth2Api', 'Outlook', oauth],
		['salesforceOAuth2Api', 'Salesforce', oauth],
		['smtp', 'Mail', { ...mail, user: '', password: '' }],
	];
	for (const [type, name, data] of all) await client.saveCredential(type, data, `${name} (local double)`);
}

/** Saves the credential of a PostgreSQL. Examples that are imported afterwards use it. */
export async function savePostgresCredential(client: N8nClient, { n8nEnvironment }: Postgres): Promise<void> {
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
