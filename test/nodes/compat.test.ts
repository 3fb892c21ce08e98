import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ICredentialDataDecryptedObject, IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import { broken, today } from '../../scripts/compat';
import { CREDENTIALS, NODES } from '../../scripts/parametersPage';
import { processedEvent } from '../../harness/webhook/deliveries';
import { version } from '../../package.json';
import { sandboxEngine } from '../support/engine/fixtures';
import { issuesOf, opened, savedNodes } from '../support/savedNodes';

/** `RECORD=1 npx jest --selectProjects nodes --testPathPatterns compat` writes what this version's workflows do. */
const isRecorded = (release: string) => process.env.RECORD === '1' && release === version;
const COMPAT = join(__dirname, '../../compat');
const NOW = '2026-03-10T12:00:00Z';
interface SavedWorkflow {
	name: string;
	nodes: INode[];
	connections: object;
}

/** What a node did: the first request to each address, and the fields that it returned. */
interface Recorded {
	requests: string[];
	fields: string[];
}

const workflowsIn = (folder: string) =>
	readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as SavedWorkflow);

/** What a file of a release has; of the version that is recorded, what the tests put into it. */
function contentOf<Content extends object>(release: string, file: string, empty: Content): Content {
	const path = join(COMPAT, release, file);
	if (!isRecorded(release)) return JSON.parse(readFileSync(path, 'utf8')) as Content;
	afterAll(() => writeFileSync(path, `${JSON.stringify(empty, null, '\t')}\n`));
	return empty;
}

if (isRecorded(version)) {
	const folder = join(COMPAT, version);
	mkdirSync(join(folder, 'workflows'), { recursive: true });
	cpSync(join(__dirname, '../../workflows'), join(folder, 'examples'), { recursive: true });
	for (const [name, nodes] of Object.entries(savedNodes())) {
		const text = JSON.stringify({ name, nodes, connections: {} }, null, '\t');
		writeFileSync(join(folder, 'workflows', `${name}.json`), `${text}\n`);
	}
}

const { sandbox, engine } = sandboxEngine(NODES, {
	conversations: 400,
	from: '2025-03-01T00:00:00Z',
	to: NOW,
});
let input: INodeExecutionData[];
beforeAll(() => {
	const [conversationId] = sandbox.control.conversationIds(0, 400);
	const [{ email, teams }] = sandbox.control
		.users()
		.filter((user) => !user.isRemoved && user.teams.length > 0);
	input = [{ json: { conversationId, email, team: teams[0] } }];
});
// Presets ask for the same ranges in each run.
beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(Date.parse(NOW)));

/** An appointment that can be deleted or matched. */
const [{ parameters: booking }] = savedNodes()['conversationIntelligenceAppointments.appointment.upsert'];

/** Leaves out what comes from the local service's data, which may change. */
const withoutData = (text: string) =>
	text
		.replace(/[\w.+-]+@[\w.-]+/g, '<email>')
		.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>')
		.replace(/(?<=\/media\/).*?(?= )/, '<file>')
		.replace(/(?<="users":\[)[^\]]+/, '<emails>');

/** Runs a saved node as n8n does. */
async function run({ type, parameters }: INode): Promise<Recorded> {
	const name = type.split('.')[1];
	if (name.endsWith('Appointments')) await engine.runNode(name, booking, { input });
	sandbox.requests.reset();
	const event = [{ json: processedEvent(String(input[0].json.conversationId)) as unknown as IDataObject }];
	const refusal = ({ context }: { context: { details: IDataObject } }) => [{ json: context.details }];
	const options = {
		input: name.endsWith('Trigger') ? event : input,
		mode: 'webhook',
		continueOnFail: true,
	} as const;
	const items: INodeExecutionData[] = name.endsWith('PollTrigger')
		? await engine.poller(name, parameters, { mode: 'manual' }).poll().catch(refusal)
		: (await engine.runNode(name, parameters, options)).items;
	const firsts = new Map<string, string>();
	for (const { method, path, headersSeen, body } of sandbox.requests.list()) {
		const key = headersSeen.authorization ? 'Authorization' : headersSeen.xApiKey ? 'x-api-key' : 'no key';
		const address = withoutData(`${method} ${path} with ${key}`);
		if (!firsts.has(address)) firsts.set(address, `${address}: ${withoutData(JSON.stringify(body ?? null))}`);
	}
	const requests = [...firsts.values()].sort();
	const fields = items.flatMap(({ json, binary = {} }) => [
		...Object.keys(json),
		...Object.keys(binary).map((file) => `file ${file}`),
	]);
	return { requests, fields: [...new Set(fields)].sort() };
}

const RELEASES = existsSync(COMPAT) ? readdirSync(COMPAT) : [];

RELEASES.forEach((release) =>
	describe(`a workflow that was built with ${release}`, () => {
		const saved = workflowsIn(join(COMPAT, release, 'workflows'));
		const recorded = contentOf<Record<string, Recorded>>(release, 'recorded.json', {});

		test.each(workflowsIn(join(COMPAT, release, 'examples')))('the example $name opens', ({ nodes }) => {
			const own = nodes.filter(({ type }) => type.startsWith('n8n-nodes-conversation-intelligence.'));
			expect(own).not.toEqual([]);
			for (const node of own) {
				expect(opened(node, true)).toEqual(expect.objectContaining(node.parameters));
				expect([node.name, issuesOf(node)]).toEqual([node.name, []]);
			}
		});

		test.each(saved)('$name opens with every parameter, sends and returns what it did', async ({ nodes }) => {
			for (const { name, ...node } of nodes) {
				const found = { parameters: opened({ name, ...node }), issues: issuesOf({ name, ...node }) };
				expect({ name, ...found }).toEqual({ name, parameters: node.parameters, issues: [] });
				const did = await run({ name, ...node });
				if (isRecorded(release)) recorded[name] = did;
				const { requests, fields } = recorded[name];
				const all = expect.arrayContaining(fields) as unknown;
				expect({ name, ...did }).toEqual({ name, requests, fields: all });
			}
		});
	}),
);

/** What n8n keeps beside workflows: each credential, the headers that it sends, and the position of a poll trigger. */
interface Kept {
	credentials: Record<string, { data: ICredentialDataDecryptedObject; headers: unknown }>;
	position: IDataObject;
}

RELEASES.forEach((release) =>
	describe(`what n8n kept of ${release}`, () => {
		const kept = contentOf<Kept>(release, 'kept.json', { credentials: {}, position: {} });

		test.each(CREDENTIALS.map((Type) => new Type()))('the credential $name still works', async (type) => {
			const fields = type.properties.filter((property) => property.type !== 'notice');
			const given = fields.map(({ name, default: byDefault }) => [name, byDefault || `${name}-1`]);
			const made = { ...Object.fromEntries(given), baseUrl: 'https://api.example.com' };
			const { data } = isRecorded(release) ? { data: made } : kept.credentials[type.name];
			const request = { url: 'https://api.example.com/x', headers: {} };
			const { headers } = await type.authenticate(data, request);
			if (isRecorded(release)) kept.credentials[type.name] = { data, headers };
			expect(headers).toEqual(kept.credentials[type.name].headers);
			// A field that is gone would no longer be shown or asked for.
			expect(type.properties.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(data)));
		});

		test('a poll trigger goes on from its position', async () => {
			const parameters = { startFrom: 'date', startDate: '2026-03-08T00:00:00Z' };
			const type = 'conversationIntelligencePollTrigger';
			const first = engine.poller(type, parameters);
			expect(await first.poll()).not.toEqual([]);
			if (isRecorded(release)) kept.position = first.saved();
			const { poll, saved } = engine.poller(type, parameters, { saved: kept.position });
			const items = await poll();
			// What was under way when it was saved comes again; nothing starts over.
			expect(items.filter(({ json }) => json.deliveryAttempt === 1)).toEqual([]);
			const position = expect.objectContaining({ start: parameters.startDate, version: 1 }) as unknown;
			expect(saved()).toEqual({ global: { [`${type}:node-under-test`]: position } });
		});
	}),
);

test.each([
	['a parameter is renamed', 'conversationIntelligence v1 conversation.getAll selectBy', undefined],
	['a default is changed', 'conversationIntelligence v1 conversation.getAll limit', 'number, by default 100'],
	['a value is gone', 'conversationIntelligenceTrigger v1.1 output = event', undefined],
	['a field is gone from the output', 'output of conversation/getAll: customerName', undefined],
	['an error can succeed later', 'error code list_incomplete', 'can succeed later'],
])('names what is broken when %s', (_, name, value) => {
	const promised = today();
	const { [name]: was, ...rest } = promised;
	const held = value === undefined ? rest : { ...rest, [name]: value };
	expect(was).toBeDefined();
	expect(broken(version, promised, promised)).toEqual([]);
	expect(broken(version, promised, held)).toEqual([expect.stringContaining(`promised ${name} ("${was}")`)]);
});
