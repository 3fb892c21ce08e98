/** A language model's response: text or tool calls. */
export interface ModelMessage {
	content: string | null;
	tool_calls?: Array<{ id: string; type: 'function'; function: { name: string; arguments: string } }>;
}

/** A response of OpenAI's chat completions API, which n8n's OpenAI Chat Model node reads. */
export function completion(model: string, message: ModelMessage) {
	return {
		id: 'chatcmpl-1',
		object: 'chat.completion',
		created: 1,
		model,
		choices: [
			{
				index: 0,
				message: { role: 'assistant', ...message },
				finish_reason: message.tool_calls ? 'tool_calls' : 'stop',
			},
		],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}
