import { call, say } from './api.js';
import { h, json, table, time } from './dom.js';

/** The page that `serviceUrl` and `conversation_url` link to. */
async function show() {
	const id = location.pathname.split('/').pop();
	const { keys } = await call('GET', '/control/state');
	const headers = { authorization: keys.organization };
	const answer = await fetch(`/data/export/conversations/${id}`, { headers });
	if (answer.status !== 200) throw new Error(`The organization has no conversation with the ID ${id}.`);
	const conversation = await answer.json();
	const { title, date, processedDate, duration, user, outcome, jobSummary } = conversation;
	document.getElementById('title').textContent = title ?? 'Conversation without a title';
	const link = (text, href) => h('a', { href }, text);
	const files = h('span', {}, link('Transcript', conversation.transcriptUrl), ' · ');
	files.append(link('Audio', conversation.audioUrl));
	const heads = ['Recorded', 'Processed', 'Duration', 'Rep', 'Outcome', 'Files'];
	const row = [time(date), time(processedDate), `${duration} s`, user.name ?? user.email, outcome, files];
	const overview = [h('p', {}, jobSummary ?? 'No summary.'), table('The conversation', heads, [row])];
	document
		.getElementById('content')
		.replaceChildren(
			h('section', { 'aria-label': 'Overview' }, ...overview),
			h('section', { 'aria-label': 'As exported' }, h('h2', {}, 'As exported'), json(conversation)),
		);
}

show().catch((error) => say(null, error.message, 'bad'));
