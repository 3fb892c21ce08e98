import { html, render } from '/preact.js';

/** What the page shows, by its request. */
const PATHS = {
	state: '/control/state',
	subscriptions: '/control/webhooks/subscriptions',
	log: '/control/webhooks/deliveries',
	dead: '/control/webhooks/dead-letters',
	stored: '/control/appointments',
	mailbox: '/control/mails',
	active: '/control/faults',
};
const REFRESH_MS = 2000;
const ROWS = 25;

let data;
/** The debugger's key, kept only in this page. */
let key;
/** The result of Send test by subscription, removed by what could change it. */
const results = {};
/** The latest message, and the section or the field that shows it. */
let message = {};

/** Sends a request to the sandbox, with JSON in both directions. */
async function call(method, path, body) {
	const headers = { 'content-type': 'application/json' };
	const content = body === undefined ? {} : { headers, body: JSON.stringify(body) };
	const response = await fetch(path, { method, ...content });
	const result = await response.json().catch(() => undefined);
	if (!response.ok) {
		const text = result?.message ?? `${method} ${path} was answered with status ${response.status}.`;
		throw Object.assign(new Error(text), { fields: result?.fields });
	}
	return result;
}

async function refresh() {
	const received = `/control/debugger?key=${encodeURIComponent(key)}`;
	const paths = Object.entries({ ...PATHS, ...(key !== undefined && { received }) });
	data = Object.fromEntries(
		await Promise.all(paths.map(async ([name, path]) => [name, await call('GET', path)])),
	);
}

/**
 * Makes the listener of a button or a form. The section shows what the action returns, or its error, unless that names
 * a field of the form.
 */
const doing = (section, action) => async (event) => {
	event.preventDefault();
	const { currentTarget: element, submitter } = event;
	const button = submitter ?? element;
	button.disabled = true;
	let field;
	try {
		const given = element.elements && Object.fromEntries(new FormData(element));
		message = { place: section, text: await action(given, element), kind: 'good' };
		await refresh();
	} catch (error) {
		field = error.fields?.find((name) => element.elements?.[name]?.hasAttribute('aria-describedby'));
		message = { place: field ?? section, text: error.message, kind: 'bad' };
	}
	button.disabled = false;
	draw();
	if (field) element.elements[field].focus();
};

const code = (text) => html`<code>${text}</code>`;
const badge = (text, kind) => html`<span class="badge ${kind}">${text}</span>`;
const json = (value) => html`<pre tabindex="0">${JSON.stringify(value, null, 2)}</pre>`;
const button = (text, onclick) =>
	html`<button type="button" class="outline" onclick=${onclick}>${text}</button>`;
const linkTo = (id) => html`<a href="/app/conversations/${id}" title=${id}>${code(`${id.slice(0, 8)}…`)}</a>`;
const day = (iso) => new Date(iso).toLocaleDateString(undefined, { dateStyle: 'medium' });

/** Local time, with the exact instant as the tooltip. */
const time = (iso) => {
	const text = new Date(iso).toLocaleString(undefined, { hour12: false });
	return html`<time datetime=${iso} title=${iso}>${text}</time>`;
};

/** Where a section, a field or the header shows the message. */
const said = (place) =>
	html`<output id="${place}-error" class=${message.kind}>${message.place === place && message.text}</output>`;

/** A field with its label, and a place for its error. */
const field = (label, { name, hint, tag = 'input', ...more }) => html`
	<label for=${name}>${label}</label>
	<${tag}
		id=${name}
		name=${name}
		autocomplete="off"
		spellcheck=${false}
		...${more}
		aria-describedby="${name}-error ${name}-hint"
		aria-invalid=${message.place === name ? 'true' : undefined}
	/>
	${said(name)}
	<small id="${name}-hint">${hint}</small>
`;

/** The newest things as a table, newest first, with a note if there are more. `cellsOf` returns them by column. */
function list(things, rows, cellsOf, count = rows.length) {
	if (count === 0) return html`<p>No ${things} yet.</p>`;
	const heads = Object.keys(cellsOf(rows[0])).map((head) => html`<th scope="col">${head}</th>`);
	const lines = rows.slice(0, ROWS).map((row) => {
		const cells = Object.values(cellsOf(row));
		return html`<tr key=${row.id}>
			${cells.map((cell) => html`<td>${cell ?? '–'}</td>`)}
		</tr>`;
	});
	// Focusable, so that keys can scroll it.
	return html`
		<div class="overflow-auto" tabindex="0" role="group" aria-label="The ${things}, newest first">
			<table>
				<thead>
					<tr>
						${heads}
					</tr>
				</thead>
				<tbody>
					${lines}
				</tbody>
			</table>
		</div>
		${count > ROWS && html`<p>The newest ${ROWS} of ${count}.</p>`}
	`;
}

/** A value with a button that copies it. */
function copyable(label, value) {
	const copy = async ({ currentTarget }) => {
		await navigator.clipboard.writeText(value);
		currentTarget.textContent = 'Copied';
		setTimeout(() => (currentTarget.textContent = 'Copy'), 1500);
	};
	return html`
		<div class="copyable">
			<small>${label}</small> ${code(value)}
			<button class="outline" aria-label="Copy ${label}" onclick=${copy}>Copy</button>
		</div>
	`;
}

function connect() {
	const { exportUrl, crmUrl, keys, options } = data.state;
	return html`
		<p>Values for the two credentials in n8n.</p>
		<div class="columns">
			<article>
				<h3>Conversation Export API</h3>
				${copyable('Base URL', exportUrl)} ${copyable('API Key', keys.organization)}
				${copyable('Signing Secret', options.signingSecret)} ${copyable('Key of one team', keys.team)}
				<p>The key of one team sees that team and its subteams only.</p>
			</article>
			<article>
				<h3>CRM Appointment API</h3>
				${copyable('Base URL', crmUrl)} ${copyable('API Key', keys.organization)}
				${copyable('Other organization', keys.otherOrganization)} ${copyable('Unmapped key', keys.unmapped)}
				<p>The unmapped key belongs to no organization: every request is answered 422.</p>
			</article>
		</div>
	`;
}

/** Lines such as "X-Key: abc" as a list, so that the sandbox notices a repeated name. */
const headersIn = (text) =>
	text.split('\n').flatMap((line) => {
		const [name, ...value] = line.split(':');
		return line.trim() === '' ? [] : { name: name.trim(), value: value.join(':').trim() };
	});

async function addSubscription({ customHeaders, ...given }, form) {
	await call('POST', PATHS.subscriptions, { ...given, customHeaders: headersIn(customHeaders) });
	form.reset();
	form.closest('details').open = false;
	return 'The subscription was added.';
}

function testResult({ status, isSuccess, problem, response, milliseconds }) {
	const text = status === null ? problem : `HTTP ${status} in ${milliseconds} ms`;
	const verdict = badge(isSuccess ? 'Test succeeded' : 'Test failed', isSuccess ? 'good' : 'bad');
	return html`<p role="status">${verdict} ${text} ${response && code(response)}</p>`;
}

function subscription({ id, url, enabled, hasSecret, customHeaders, notice }) {
	/** Makes the listener of a button. The result of a test stands until something else is done. */
	const act = (method, more, body, text) =>
		doing('webhooks', async () => {
			delete results[id];
			const result = await call(method, `${PATHS.subscriptions}/${id}${more}`, body);
			if (more === '/test') results[id] = result;
			return text;
		});
	const change = [{ enabled: !enabled }, `The subscription was ${enabled ? 'disabled' : 'enabled'}.`];
	const isTestUrl = url.includes('/webhook-test/');
	const names = Object.keys(customHeaders).join(', ');
	return html`
		<article key=${id}>
			<div class="bar">
				${code(url)} ${isTestUrl && badge('Test URL')}
				${enabled ? badge('Enabled', 'good') : badge('Disabled')}
			</div>
			<p>
				${hasSecret ? 'Signed' : 'Not signed'} · ${names ? `Custom headers: ${names}` : 'No custom headers'}
			</p>
			${isTestUrl && html`<p>n8n receives at a Test URL only while it listens for a test event.</p>`}
			${notice && html`<p>${notice}</p>`} ${results[id] && testResult(results[id])}
			<div class="bar">
				<button onclick=${act('POST', '/test')}>Send test</button>
				${button(enabled ? 'Disable' : 'Enable', act('PATCH', '', ...change))}
				${button('Delete', act('DELETE', '', undefined, 'The subscription was deleted.'))}
			</div>
		</article>
	`;
}

const webhooks = () => html`
	<p>Each processed conversation is sent to every enabled subscription in one signed POST.</p>
	${data.subscriptions.length > 0 ? data.subscriptions.map(subscription) : html`<p>No subscriptions yet.</p>`}
	<details>
		<summary>Add a subscription</summary>
		<form onsubmit=${doing('webhooks', addSubscription)}>
			${field('Endpoint URL', {
				name: 'url',
				type: 'url',
				required: true,
				placeholder: 'https://example.com/webhook/…',
				hint: 'HTTPS. Plain http:// works for an address on this machine, such as a local n8n.',
			})}
			${field('Signing secret (optional)', {
				name: 'secret',
				defaultValue: data.state.options.signingSecret,
				hint: 'Signs each request in X-Service-Signature. The secret is not shown again.',
			})}
			${field('Custom headers (optional, at most five, one per line)', {
				name: 'customHeaders',
				tag: 'textarea',
				rows: 2,
				placeholder: 'X-Receiver-Key: abc',
			})}
			<button>Add subscription</button>
		</form>
	</details>
`;

async function announce({ count }) {
	await call('POST', '/control/webhooks/emit', { count: Number(count), wait: false });
	return `Conversations announced to every enabled subscription: ${count}.`;
}

const STATES = { delivered: ['Delivered', 'good'], failed: ['Failed', 'bad'], pending: ['Pending'] };

const attempt = ({ url, status, problem, milliseconds, webhookEventId, response, round }) => html`
	<div>
		Round ${round}: ${status ?? problem} in ${milliseconds} ms<br />${code(url)}<br />
		<small>webhook_event_id ${webhookEventId}</small>
		${response && html`<pre tabindex="0">${response}</pre>`}
	</div>
`;

const attemptsOf = (attempts) => html`
	<details>
		<summary>${attempts.map(({ status, problem }) => status ?? problem).join(', ')}</summary>
		${attempts.map(attempt)}
	</details>
`;

/** Nobody listens at a Test URL once the editor is left: that is no fault. */
const NOT_LISTENING = ['Test URL, not listening'];
const isUnheard = ({ url, status }) => status === 404 && url.includes('/webhook-test/');
const stateOf = (state, attempts) =>
	state !== 'delivered' && attempts.length > 0 && attempts.every(isUnheard) ? NOT_LISTENING : STATES[state];

const deliveryCells = ({ createdAt, eventType, conversationId, state, nextRoundAt, attempts }) => ({
	Time: time(createdAt),
	Event: code(eventType),
	Conversation: eventType === 'test' ? 'synthetic' : linkTo(conversationId),
	State: html`${badge(...stateOf(state, attempts))} ${nextRoundAt && html`next attempt ${time(nextRoundAt)}`}`,
	Attempts: attempts.length > 0 ? attemptsOf(attempts) : null,
});

const deadLetterCells = ({ diedAt, conversationId, attempts, reason }) => ({
	Time: time(diedAt),
	Conversation: linkTo(conversationId),
	Attempts: attempts.length,
	Reason: reason,
});

const deliveries = () => html`
	<p>A delivery is retried only when every subscription failed: new event ID, same conversation.</p>
	<form class="bar" onsubmit=${doing('deliveries', announce)}>
		<label>Conversations <input name="count" type="number" min="1" max="1000" defaultValue="1" /></label>
		<button>Announce as processed</button>
	</form>
	<div id="delivery-list">${list('deliveries', data.log.deliveries, deliveryCells, data.log.count)}</div>
	<h3>Dead letters</h3>
	${list('dead letters', data.dead.deadLetters, deadLetterCells)}
`;

async function finishProcessing() {
	const { conversationIds: ids } = await call('POST', '/control/processing/finish', {});
	if (ids.length > 0) return `Processed ${ids.length}: ${ids.join(', ')}.`;
	return 'No recording is being processed. Send an appointment with a media_url first.';
}

const appointmentCells = ({ event_id, title, start_time, end_time, attendees, result, hasRecording }) => ({
	'Event ID': code(event_id),
	Title: title,
	'Start (UTC)': start_time,
	'End (UTC)': end_time,
	Attendees: attendees.join(', '),
	Result: result,
	Recording: hasRecording ? badge('Linked', 'good') : null,
});

const appointments = () => html`
	<p>The organization's appointments in the CRM Appointment API.</p>
	${button('Finish processing of recordings', doing('appointments', finishProcessing))}
	<div id="appointment-list">
		${list('appointments', data.stored.appointments.toReversed(), appointmentCells)}
	</div>
`;

const mailCells = ({ id, subject, to, date, attachments }) => ({
	Subject: html`<a href="/mails/${id}" target="_blank">${subject}</a>`,
	To: to,
	Sent: date ? time(date) : null,
	Attachments: attachments.join(', ') || null,
});

const mails = () => html`
	<p>What workflows sent to the local mail server of npm start. Nothing was delivered.</p>
	<div id="mail-list">${list('mails', data.mailbox.mails.toReversed(), mailCells)}</div>
`;

async function showEvents(given) {
	key = given.key.trim();
	await refresh().catch((error) => {
		key = undefined;
		throw error;
	});
}

const received = ({ id, receivedAt, eventId, payload, stored }) => html`
	<details key=${id}>
		<summary>${time(receivedAt)} ${code(eventId)}</summary>
		<div class="columns">
			${Object.entries({ Received: payload, Stored: stored }).map(
				([title, value]) =>
					html`<div>
						<h3>${title}</h3>
						${json(value)}
					</div>`,
			)}
		</div>
	</details>
`;

const debugging = () => html`
	<p>Every event received for a key, as sent and as stored. Requests refused with 4xx are not listed.</p>
	<form class="bar" onsubmit=${doing('debugger', showEvents)}>
		${field('API key', { name: 'key', required: true, size: 36 })}
		<button>Show events</button>
	</form>
	<div id="event-list">
		${data.received?.events.slice(-50).toReversed().map(received)}
		${data.received?.events.length === 0 && html`<p>No events for this key yet.</p>`}
	</div>
`;

const FAULTS = {
	'Too many requests (429)': { kind: 'tooManyRequests', retryAfterSeconds: 2 },
	'Server error (500)': { kind: 'serverError' },
	'Slow response (3 s)': { kind: 'latency', milliseconds: 3000 },
	'Connection reset': { kind: 'connectionReset' },
	'Truncated body': { kind: 'truncatedBody' },
	'HTML page instead of JSON': { kind: 'htmlPage' },
	'Applied, but the response is lost': { kind: 'lostResponse' },
};

async function addFault({ fault, path, times }) {
	const where = path === '' ? {} : { path };
	await call('POST', PATHS.active, { ...FAULTS[fault], ...where, times: Number(times) });
	return 'The fault was added.';
}

const clearFaults = (query, text) =>
	doing('faults', async () => {
		await call('DELETE', `${PATHS.active}${query}`);
		return text;
	});

const faultCells = ({ id, kind, path, ...settings }) => ({
	Kind: code(kind),
	On: path ?? 'any request',
	Settings: code(JSON.stringify(settings)),
	Action: button('Remove', clearFaults(`?id=${id}`, 'The fault was removed.')),
});

const faults = () => html`
	<p>Make the service misbehave to see how a workflow reacts.</p>
	<form class="bar" onsubmit=${doing('faults', addFault)}>
		<select name="fault" aria-label="Kind">
			${Object.keys(FAULTS).map((name) => html`<option value=${name}>${name}</option>`)}
		</select>
		<select name="path" aria-label="On">
			<option value="">any request</option>
			<option value="/data/export/conversations">export of conversations</option>
			<option value="/crm/custom/appointment">appointments</option>
		</select>
		<label>Times <input name="times" type="number" min="1" defaultValue="1" /></label>
		<button>Add fault</button>
		${button('Clear all', clearFaults('', 'All faults were removed.'))}
	</form>
	<div id="fault-list">${list('faults', data.active.faults, faultCells)}</div>
`;

const SECTIONS = [
	['connect', 'Connect', connect],
	['webhooks', 'Webhook subscriptions', webhooks],
	['deliveries', 'Deliveries', deliveries],
	['appointments', 'Appointments', appointments],
	['mails', 'Mails', mails],
	['debugger', 'Debugger', debugging],
	['faults', 'Faults', faults],
];

/** Draws the page. What a user has opened or entered stays, because only what changed is drawn again. */
function draw() {
	const { conversations, awaitingUpload, errored, from, to } = data.state.totals;
	const page = html`
		<header class="bar">
			<img src="/icon.svg" alt="" width="36" height="36" />
			<div>
				<h1>Local Service</h1>
				<p>Only the webhooks you set up leave this machine.</p>
			</div>
			<p>
				<strong>${conversations.toLocaleString()} conversations</strong>
				${from && ` from ${day(from)} to ${day(to)}`}<br />
				${awaitingUpload} awaiting upload, ${errored} errored
			</p>
			${said('header')}
		</header>
		<nav class="bar" aria-label="Sections">
			${SECTIONS.map(([id, title]) => html`<a href="#${id}">${title}</a>`)}
		</nav>
		<main>
			${SECTIONS.map(
				([id, title, content]) => html`
					<section id=${id} aria-labelledby="${id}-title">
						<h2 id="${id}-title">${title}</h2>
						${said(id)} ${content()}
					</section>
				`,
			)}
		</main>
	`;
	render(page, document.body);
}

/** Refreshes what may have changed while the page is visible. */
async function keepFresh() {
	try {
		if (!document.hidden) await refresh();
		if (message.isAway) message = { place: 'header', text: 'The local service is back.', kind: 'good' };
	} catch (error) {
		const text = `The local service cannot be reached: ${error.message}`;
		message = { place: 'header', text, kind: 'bad', isAway: true };
	}
	if (data) draw();
	setTimeout(keepFresh, REFRESH_MS);
}
void keepFresh();
