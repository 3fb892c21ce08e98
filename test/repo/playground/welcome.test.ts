import { SIGNING_SECRET } from '../../../harness/credentials';
import { OWNER } from '../../../harness/n8n/session';
import { welcome } from '../../../playground/welcome';
import { startSandbox } from '../../../sandbox';

test('npm start ends with the list of workflows, the login, everything to paste and the first clicks', async () => {
	const sandbox = await startSandbox({ conversations: 1 });
	try {
		const text = welcome('http://127.0.0.1:5678', sandbox);
		expect(text).toContain('http://127.0.0.1:5678/home/workflows');
		for (const value of [OWNER.email, OWNER.password, sandbox.url, sandbox.keys.organization, SIGNING_SECRET])
			expect(text).toContain(value);
		expect(text).toContain('Conversation Intelligence > Actions');
	} finally {
		await sandbox.close();
	}
});
