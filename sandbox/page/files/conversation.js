import { call, say } from './api.js';
import { h, json, table, time } from './dom.js';

/** The page that `serviceUrl` and `conversation_url` lead to. */
async function show() {
	const id = location.pathname.split('/').pop();
	const { keys } = await call('GET', '/control/state');
	const answer = await fetch(`/data/export/conversations/${id}`, {
		headers: { authorization: keys.organization },
	});
	if (answer.status !== 200) throw new Error(`The organization has no conversation with the ID ${id}.`);
	const conversation = await answer.json();
	const { title, date, processedDate, duration, user, outcome, jobSummary } = conversation;
	document.getElementById('title').textContent = title ?? 'Conversation without a title';
	const links = h(
		'span',
		{},
		h('a', { href: conversation.transcriptUrl }, 'Transcript'),
		' · ',
		h('a', { href: conversation.audioUrl }, 'Audio'),
	);
	document
		.getElementById('content')
		.replaceChildren(
			h(
				'section',
				{ 'aria-label': 'Overview' },
				h('p', {}, jobSummary ?? 'No summary.'),
				table(
					'What is known of the conversation',
					['Recorded', 'Processed', 'Duration', 'Rep', 'Outcome', 'Files'],
					[[time(date), time(processedDate), `${duration} s`, user.name ?? user.email, outcome, links]],
				),
			),
			h('section', { 'aria-label': 'As exported' }, h('h2', {}, 'As exported'), json(conversation)),
		);
}

show().catch((error) => say(error.message, 'bad'));
