import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

/** A language model's response: text or tool calls. */
export interface ModelMessage {
	content: string | null;
	tool_calls?: Array<{ id: string; type: 'function'; function: { name: string; arguments: string } }>;
}

/** A request of OpenAI's chat completions API, as far as it is read here. */
export interface ModelRequest {
	model: string;
	messages: Array<{ role: string; content: string }>;
	/** The tools as a model sees them. */
	tools?: Array<{
		function: {
			name: string;
			description: string;
			parameters: { properties: Record<string, { description?: string }>; required?: string[] };
		};
	}>;
}

export interface ToolCall {
	tool: string;
	input: IDataObject;
}

/** A response of that API, which n8n's OpenAI Chat Model node reads. */
export function completion(model: string, said: ModelMessage) {
	const finish_reason = said.tool_calls ? 'tool_calls' : 'stop';
	const choices = [{ index: 0, message: { role: 'assistant', ...said }, finish_reason }];
	const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
	return { id: 'chatcmpl-1', object: 'chat.completion', created: 1, model, choices, usage };
}

/** What a model says that makes these calls one by one, and then answers with a text. */
export function callingTools(calls: ToolCall[]): ModelMessage[] {
	const messages = calls.map(({ tool: name, input }, index) => {
		const called = { name, arguments: JSON.stringify(input) };
		return {
			content: null,
			tool_calls: [{ id: `call_${index}`, type: 'function' as const, function: called }],
		};
	});
	return [...messages, { content: 'Done.' }];
}

/** The results of its calls that a model has received, by its last request. */
export function toolResults(requests: ModelRequest[]): string[] {
	const messages = requests.at(-1)?.messages ?? [];
	return messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
}

/** A response of OpenAI's embeddings API: texts with the same words are near each other, whatever their order. */
export function embeddings(request: { model: string; input: string | string[]; encoding_format?: string }) {
	const { model, input, encoding_format: format } = request;
	const data = [input].flat().map((text, index) => {
		const counts = new Float32Array(256);
		for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? [])
			counts[createHash('md5').update(word).digest()[0]]++;
		const embedding = format === 'base64' ? Buffer.from(counts.buffer).toString('base64') : [...counts];
		return { object: 'embedding', index, embedding };
	});
	return { object: 'list', model, data, usage: { prompt_tokens: 1, total_tokens: 1 } };
}
