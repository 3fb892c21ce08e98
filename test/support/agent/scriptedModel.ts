import type { IDataObject } from 'n8n-workflow';
import { completion, type ModelMessage } from '../../../harness/examples/completion';
import { ScriptedServer } from '../scriptedServer';

/** A tool as a model sees it. */
export interface OfferedTool {
	name: string;
	description: string;
	parameters: { properties: Record<string, { type?: string; description?: string }>; required?: string[] };
}

/** A call that the model makes. */
export interface ToolCall {
	tool: string;
	input: IDataObject;
}

/** A request of the chat completions API, as far as the tests read it. */
interface ChatRequest {
	messages: Array<{ role: string; content: string }>;
	tools?: Array<{ function: OfferedTool }>;
}

/** A language model on the loopback address that makes the calls of a test's script and records its requests. */
export class ScriptedModel {
	private constructor(private readonly server: ScriptedServer) {}

	static async start(): Promise<ScriptedModel> {
		return new ScriptedModel(await ScriptedServer.start());
	}

	/** Base URL of the chat completions API, without a trailing slash. */
	get url(): string {
		return `${this.server.url}/v1`;
	}

	/** Forgets all requests. Answers each of the next ones with one of these calls, then with a text. */
	script(calls: ToolCall[]): void {
		this.server.respond(
			conversationOf(calls).map((message) => ({
				status: 200,
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify(completion('scripted', message)),
			})),
		);
	}

	/** The tools that the first request offers. */
	get tools(): OfferedTool[] {
		return (this.requests[0]?.tools ?? []).map((tool) => tool.function);
	}

	/** The results that the model received for its calls. */
	get responses(): string[] {
		const { messages } = this.requests.at(-1) ?? { messages: [] };
		return resultsIn(messages);
	}

	private get requests(): ChatRequest[] {
		return this.server.seen.map(({ body }) => body as unknown as ChatRequest);
	}

	async close(): Promise<void> {
		await this.server.close();
	}
}

/** What a model says that makes these calls one by one, and then answers with a text. */
export function conversationOf(calls: ToolCall[]): ModelMessage[] {
	const messages = calls.map(({ tool, input }, index) => ({
		content: null,
		tool_calls: [
			{
				id: `call_${index}`,
				type: 'function' as const,
				function: { name: tool, arguments: JSON.stringify(input) },
			},
		],
	}));
	return [...messages, { content: 'Done.' }];
}

/** The results of calls among the messages that a model received. */
export function resultsIn(messages: Array<{ role: string; content: string }>): string[] {
	return messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
}
