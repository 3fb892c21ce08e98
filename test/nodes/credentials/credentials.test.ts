import { readFileSync } from 'node:fs';
import { ConversationExportApi } from '../../../credentials/ConversationExportApi.credentials';
import { CrmAppointmentApi } from '../../../credentials/CrmAppointmentApi.credentials';

const REPOSITORY = 'https://github.com/conversation-intelligence/n8n-nodes-conversation-intelligence';

// D1-AUTH-01, D2-AUTH-01
test.each([
	['Authorization', new ConversationExportApi()],
	['x-api-key', new CrmAppointmentApi()],
])('%s is the raw key of its service', async (header, credential) => {
	const request = { url: 'https://api.example.com/', headers: { accept: 'text/plain' } };
	const data = { apiKey: ' raw-key\n', baseUrl: 'https://api.example.com' };
	const { headers } = await credential.authenticate(data, request);
	expect(headers).toEqual({ accept: 'text/plain', [header]: 'raw-key' });
	const elsewhere = credential.authenticate(data, { url: 'https://elsewhere.example/' });
	await expect(elsewhere).rejects.toThrow('is not sent to https://elsewhere.example/');
});

test.each([new ConversationExportApi(), new CrmAppointmentApi()])(
	'the help of the $displayName credential leads to its section of the documentation',
	({ displayName, documentationUrl }) => {
		const [file, anchor] = documentationUrl.split('#');
		expect(file).toBe(`${REPOSITORY}/blob/main/docs/credentials.md`);
		const document = readFileSync('docs/credentials.md', 'utf8');
		expect(document).toContain(`\n## ${displayName}\n`);
		expect(anchor).toBe(displayName.toLowerCase().replaceAll(' ', '-'));
	},
);
