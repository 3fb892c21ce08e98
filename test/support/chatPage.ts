import { randomUUID } from 'node:crypto';
import { WebSocket } from 'undici';

/** What n8n's hosted chat shows: a text, with buttons when it waits for an approval. */
export interface ChatMessage {
	text: string;
	buttons: Array<{ text: string; link: string }>;
}

/** A conversation with a published Chat Trigger (Response Mode "Using Response Nodes"), as n8n's chat page has it. */
export class ChatPage {
	private readonly messages: ChatMessage[] = [];
	private wake: () => void = () => undefined;

	private constructor(private readonly socket: WebSocket) {
		socket.addEventListener('message', ({ data }) => this.receive(String(data)));
		socket.addEventListener('close', () => this.wake());
	}

	/** Sends the first message of a new session. */
	static async say(n8nUrl: string, webhookId: string, chatInput: string): Promise<ChatPage> {
		const sessionId = randomUUID();
		const response = await fetch(`${n8nUrl}/webhook/${webhookId}/chat`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ action: 'sendMessage', sessionId, chatInput }),
		});
		const { executionId, resumeToken } = (await response.json()) as Record<string, string>;
		const query = new URLSearchParams({ sessionId, executionId, isPublic: 'true', token: resumeToken });
		return new ChatPage(new WebSocket(`${n8nUrl.replace('http', 'ws')}/chat?${query}`));
	}

	/** Waits for the next message. @throws Error when the conversation ended without one */
	async next(): Promise<ChatMessage> {
		while (this.messages.length === 0) {
			if (this.socket.readyState === WebSocket.CLOSED) throw new Error('The chat has ended.');
			await new Promise<void>((resolve) => (this.wake = resolve));
		}
		return this.messages.shift()!;
	}

	async click({ buttons }: ChatMessage, label: string): Promise<void> {
		const button = buttons.find(({ text }) => text === label);
		if (button === undefined) throw new Error(`No button is called ${label}.`);
		// n8n ignores link checkers, which it recognizes by the user agent.
		await fetch(button.link, { headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)' } });
	}

	/** Types a reply. */
	type(chatInput: string): void {
		this.socket.send(JSON.stringify({ action: 'sendMessage', sessionId: 'same', chatInput }));
	}

	private receive(text: string): void {
		if (text === 'n8n|heartbeat') return this.socket.send('n8n|heartbeat-ack');
		if (text === 'n8n|continue') return;
		const isMessage = text.startsWith('{');
		this.messages.push(isMessage ? (JSON.parse(text) as ChatMessage) : { text, buttons: [] });
		this.wake();
	}
}
