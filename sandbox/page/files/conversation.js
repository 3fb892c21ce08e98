import { call, say } from './api.js';
import { h, json, note } from './dom.js';

/** The page that `serviceUrl` and `conversation_url` link to. */
async function show() {
	const id = location.pathname.split('/').pop();
	const { keys } = await call('GET', '/control/state');
	const headers = { authorization: keys.organization };
	const response = await fetch(`/data/export/conversations/${id}`, { headers });
	if (response.status !== 200) throw new Error(`No conversation has the ID ${id}.`);
	const conversation = await response.json();
	const { title, jobSummary, transcriptUrl, audioUrl } = conversation;
	document.getElementById('title').textContent = title ?? 'Conversation without a title';
	const link = (text, href) => h('a', { href }, text);
	const files = h('div', { class: 'bar' }, link('Transcript', transcriptUrl), link('Audio', audioUrl));
	const content = [note(jobSummary ?? 'No summary.'), files, json(conversation)];
	document.getElementById('content').replaceChildren(h('section', {}, ...content));
}

show().catch((error) => say(null, error.message, 'bad'));
