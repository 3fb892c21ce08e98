import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { ConversationIntelligenceAppointments } from '../../../nodes/ConversationIntelligenceAppointments/ConversationIntelligenceAppointments.node';
import type { ValueContext } from '../../../nodes/ConversationIntelligenceAppointments/mapping/values';
import { CodedError } from '../../../nodes/shared/base/codedErrors';
import { POLICY } from '../../../nodes/shared/http/policy';
import { MAPPED_AUTOMATICALLY, mappedByHand } from '../../support/columns';
import type { Engine, RunOptions } from '../../support/engine';
import { scriptedEngine } from '../../support/engine/fixtures';

/** The fields that every request needs. */
export const OWNER = { event_id: 'crm-1', user_email: 'ana@example.com' };

/** Every field that a new appointment needs, and who attends, as columns. */
export const CREATE = {
	...OWNER,
	attendee_emails: 'ben@example.com',
	start_time: '2026-03-01T08:30:00+01:00',
	end_time: '2026-03-01T09:30:00+01:00',
	title: 'Roof inspection',
	customer_id: 'c-1',
	customer_name: 'Blue Door Ltd',
};

/** How values are read in a workflow of Berlin, by default. */
export const reading = (more: Partial<ValueContext> = {}): ValueContext => ({
	zone: 'Europe/Berlin',
	isZoneChosen: false,
	dateOrder: undefined,
	event: 'Event crm-1',
	json: {},
	warnings: {},
	...more,
});

/** What a reader returns, or the code and the message with which it refuses. */
export function outcomeOf<Value>(read: () => Value) {
	try {
		return { value: read(), code: '', message: '' };
	} catch (error) {
		if (!(error instanceof CodedError)) throw error;
		return { code: error.details.code, message: error.message, error };
	}
}

const VALUES = readFileSync(join(__dirname, '../../../docs/reference/values.md'), 'utf8');

/** The examples of the table with this heading in docs/reference/values.md, and a value or a code that each results in. */
export const documented = (heading: string) =>
	VALUES.split(`\n| ${heading} `)[1]
		.split('\n\n')[0]
		.split('\n')
		.flatMap((row) => {
			const [examples, results = ''] = row.split(' | ').map((cell) => cell.match(/`[^`]+`/g) ?? []);
			return examples.map((text): [string, string] => [text.slice(1, -1), results[0]?.slice(1, -1) ?? '']);
		});

export const texts = (text: string) => text.split(/\s+\|\s+/);

/** Create or Update with these values mapped by hand. */
export const byHand = (value: IDataObject, more: INodeParameters = {}) =>
	({ operation: 'upsert', columns: mappedByHand(value), ...more }) as INodeParameters;

/** Create or Update with the columns of the input. */
export const automatic = (more: INodeParameters = {}) =>
	({ operation: 'upsert', columns: MAPPED_AUTOMATICALLY, ...more }) as INodeParameters;

/** Runs the node, or its tool, once over these rows. */
export const runAppointments = async (
	engine: Engine,
	parameters: INodeParameters,
	rows: IDataObject[] = [{}],
	options: RunOptions = {},
	type = 'conversationIntelligenceAppointments',
) => {
	const input = rows.map((json) => ({ json }));
	return await engine.runNode(type, { resource: 'appointment', ...parameters }, { input, ...options });
};

/** The operations with the input's `id` as Event ID and only the fields that they need. */
export const UPDATE: INodeParameters = {
	operation: 'update',
	columns: mappedByHand({ ...OWNER, event_id: '={{ $json.id }}', attendee_emails: 'ben@example.com' }),
};
export const DELETE: INodeParameters = { operation: 'delete', eventId: '={{ $json.id }}' };
export const CONVERSATION_ID = '3f2b8c1e-5d7a-4c66-9b1f-0a2d4e6f8a10';
export const MATCH: INodeParameters = {
	operation: 'match',
	eventId: '={{ $json.id }}',
	conversationId: CONVERSATION_ID,
};

/** For a describe block: the node with a service that processes every appointment, unless a test says otherwise. */
export function processingService(apiKey?: string) {
	const { server: service, engine } = scriptedEngine([ConversationIntelligenceAppointments], apiKey);
	beforeEach(() => {
		jest.replaceProperty(POLICY as { baseDelayMs: number }, 'baseDelayMs', 20);
		jest.replaceProperty(POLICY as { maxDelayMs: number }, 'maxDelayMs', 20);
		service.respond(() => ({ status: 200, body: 'Processed' }));
	});
	return {
		service,
		/** The bodies of all requests. */
		bodies: () => service.seen.map(({ body }) => body),
		run: async (parameters: INodeParameters, rows?: IDataObject[], options?: RunOptions) =>
			await runAppointments(engine, parameters, rows, options),
		runTool: async (parameters: INodeParameters, row: IDataObject = {}, options?: RunOptions) =>
			await runAppointments(engine, parameters, [row], options, 'conversationIntelligenceAppointmentsTool'),
	};
}
