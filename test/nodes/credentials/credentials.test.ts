import { readFileSync } from 'node:fs';
import { documentation } from '../../../identity.json';
import { ConversationExportApi } from '../../../credentials/ConversationExportApi.credentials';
import { CrmAppointmentApi } from '../../../credentials/CrmAppointmentApi.credentials';

// D1-AUTH-01, D2-AUTH-01
test.each([
	['Authorization', new ConversationExportApi()],
	['x-api-key', new CrmAppointmentApi()],
])('%s is the raw key of its service', async (header, credential) => {
	const request = { url: 'https://api.example.com/', headers: { accept: 'text/plain' } };
	const data = { apiKey: ' raw-key\n', baseUrl: 'https://api.example.com' };
	const { headers } = await credential.authenticate(data, request);
	expect(headers).toEqual({ accept: 'text/plain', [header]: 'raw-key' });
});

test.each([new ConversationExportApi(), new CrmAppointmentApi()])(
	'the $displayName credential requires Base URL and API Key, and its help is in the documentation',
	({ displayName, documentationUrl, properties }) => {
		const required = properties.filter((property) => property.required);
		expect(required.map(({ name }) => name)).toEqual(['baseUrl', 'apiKey']);
		const anchor = displayName.toLowerCase().replaceAll(' ', '-');
		expect(documentationUrl).toBe(`${documentation}/credentials.md#${anchor}`);
		expect(readFileSync('docs/credentials.md', 'utf8')).toContain(`\n## ${displayName}\n`);
	},
);
