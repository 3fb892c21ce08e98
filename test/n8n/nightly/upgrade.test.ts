import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { saveSandboxCredentials, SIGNING_SECRET } from '../../../harness/credentials';
import { itemsOf } from '../../../harness/n8n/execution';
import { startN8n, type RunningN8n } from '../../../harness/n8n/start';
import { startSandbox, type Sandbox } from '../../../sandbox';
import { version } from '../../../package.json';
import { exportWorkflow, NODE } from '../../support/exportWorkflow';
import { N8N_START_LIMIT_MS, progress, TARBALL } from '../../support/n8n';
import { NpmRegistry } from '../../support/npmRegistry';
import { KeyedServer } from '../../support/scriptedServer';
import { useServers } from '../../support/testbed';
import { pollWorkflow, webhookWorkflow } from '../../support/triggerWorkflows';

const PACKAGE = 'n8n-nodes-conversation-intelligence';
/** The next version, which the test makes: it has one more option. */
const NEXT = version.replace(/\d+$/, (patch) => String(Number(patch) + 1));
const MAIN_FILE = 'dist/nodes/ConversationIntelligence/ConversationIntelligence.node.js';
const ONE_MORE = `
const { ConversationIntelligence: Before } = exports;
exports.ConversationIntelligence = class ConversationIntelligence extends Before {
	constructor() {
		super();
		const options = this.description.properties.find(({ name }) => name === 'options');
		options.options = [...options.options, { displayName: 'One More', name: 'oneMore', type: 'boolean', default: false }];
	}
};
`;

let registry: NpmRegistry;
let sandbox: Sandbox;
const [delivered, polled, gate] = useServers(new KeyedServer(), new KeyedServer(), new KeyedServer());
let userFolder: string;
let n8n: RunningN8n | undefined;

beforeAll(async () => {
	userFolder = mkdtempSync(join(tmpdir(), 'n8n-upgrade-'));
	registry = await NpmRegistry.start();
	sandbox = await startSandbox({ conversations: 20 });
	registry.publish(process.env[TARBALL] ?? '', version);
	registry.publish(process.env[TARBALL] ?? '', NEXT, (folder) => {
		const file = join(folder, MAIN_FILE);
		writeFileSync(file, `${readFileSync(file, 'utf8')}${ONE_MORE}`);
	});
	n8n = await startN8n({ userFolder, report: progress, env: registry.environment() });
}, N8N_START_LIMIT_MS);
afterAll(async () => {
	await n8n?.stop();
	await Promise.all([registry.stop(), sandbox.close()]);
	rmSync(userFolder, { recursive: true, force: true });
}, 60_000);

test('an update and the way back lose nothing, while a poll is under way and deliveries arrive', async () => {
	const { client, url } = n8n!;
	const install = async (method: 'POST' | 'PATCH', to: string) =>
		await client.session.rest(method, '/community-packages', { name: PACKAGE, version: to });
	await install('POST', version);
	await saveSandboxCredentials(client, sandbox);
	const webhook = await client.publish(webhookWorkflow({}, delivered.url).file);
	await client.publish(pollWorkflow({}, polled.url, gate.url));
	const exporting = await client.importWorkflow(exportWorkflow({ options: { addTeams: true } }));
	const exported = async () =>
		itemsOf(await client.run(exporting), NODE).map(({ json }) => Object.keys(json));
	const fields = await exported();
	expect(fields).not.toEqual([]);
	const target = `${url}/webhook/${await client.webhookPath(webhook)}`;
	sandbox.webhooks.subscriptions.add({ url: target, secret: SIGNING_SECRET });

	const ids: string[] = [];
	gate.hold(() => true);
	for (const to of [NEXT, version]) {
		// Some are under way in an execution while n8n replaces the package; others come meanwhile.
		ids.push(...sandbox.control.insertConversations({ count: 2, announce: true }));
		await gate.waitForHeld(ids.length);
		const replacing = install('PATCH', to);
		ids.push(...sandbox.control.insertConversations({ count: 2, announce: true }));
		await replacing;
		expect(JSON.stringify(await client.nodeTypes()).includes('oneMore')).toBe(to === NEXT);
		expect(await exported()).toEqual(fields);
		await gate.waitForHeld(ids.length);
	}
	gate.open();
	await Promise.all([delivered.waitForKeys(ids.length), polled.waitForKeys(ids.length)]);
	const once = new Map(ids.map((id) => [id, 1]));
	expect([delivered.writes, polled.writes]).toEqual([once, once]);
}, 300_000);
