import { call, doing, onSubmit, say } from './api.js';
import { badge, button, code, copyable, fill, foldable, h, json, list, note, time } from './dom.js';
import { refreshDeliveries, refreshSubscriptions, startWebhooks } from './webhooks.js';

const listed = 50;
/** Each fault with what it needs beyond its kind. */
const faults = {
	'Too many requests (429), retry after 2 s': { kind: 'tooManyRequests', retryAfterSeconds: 2 },
	'Server error (500)': { kind: 'serverError' },
	'Slow answer (3 s)': { kind: 'latency', milliseconds: 3000 },
	'Connection reset': { kind: 'connectionReset' },
	'Truncated body': { kind: 'truncatedBody' },
	'HTML page instead of JSON': { kind: 'htmlPage' },
	'Applied, but the answer is lost': { kind: 'lostAnswer' },
};
const paths = {
	'any request': undefined,
	'export of conversations': '/data/export/conversations',
	appointments: '/crm/custom/appointment',
};
/** The debugger's key: kept in this page only. */
let key;

async function refreshConnect() {
	const { exportUrl, crmUrl, keys, options, totals } = await call('GET', '/control/state');
	fill('connections', { exportUrl, crmUrl, keys }, () => [
		h(
			'article',
			{},
			h('h3', {}, 'Conversation Export API'),
			copyable('Base URL', exportUrl),
			copyable('API Key', keys.organization),
			copyable('Signing Secret', options.signingSecret),
			copyable('Key of one team', keys.team),
			note('The key of one team sees that team and its subteams only.'),
		),
		h(
			'article',
			{},
			h('h3', {}, 'CRM Appointment API'),
			copyable('Base URL', crmUrl),
			copyable('API Key', keys.organization),
			copyable('Other organization', keys.otherOrganization),
			copyable('Unmapped key', keys.unmapped),
			note('The unmapped key belongs to no organization: every request is answered 422.'),
		),
	]);
	const day = (iso) => new Date(iso).toLocaleDateString(undefined, { dateStyle: 'medium' });
	fill('totals', totals, ({ conversations, awaitingUpload, errored, from, to }) => [
		h('strong', {}, `${conversations.toLocaleString()} conversations`),
		from ? ` from ${day(from)} to ${day(to)}` : '',
		h('br'),
		`${awaitingUpload} awaiting upload, ${errored} errored`,
	]);
	const secret = document.querySelector('[name=secret]');
	if (secret.value === secret.defaultValue) secret.defaultValue = options.signingSecret;
}

const appointmentTable = {
	caption: 'Appointments, newest first',
	heads: ['Event ID', 'Title', 'Start (UTC)', 'End (UTC)', 'Attendees', 'Result', 'Recording'],
	none: 'No appointments yet.',
};

async function refreshAppointments() {
	const { appointments } = await call('GET', '/control/appointments');
	fill('appointment-list', appointments, () => {
		const rows = appointments
			.slice(-listed)
			.reverse()
			.map((each) => [
				code(each.event_id),
				each.title,
				each.start_time,
				each.end_time,
				each.attendees.join(', '),
				each.result,
				each.hasRecording ? badge('Linked', 'good') : null,
			]);
		return list(appointmentTable, appointments.length, rows);
	});
}

async function refreshDebugger() {
	if (key === undefined) return;
	const { events } = await call('GET', `/control/debugger?key=${encodeURIComponent(key)}`);
	const draw = ({ id, receivedAt, eventId, payload, stored }) => {
		const summary = h('span', {}, time(receivedAt), ' ', code(eventId));
		const received = h('div', {}, h('h3', {}, 'Received'), json(payload));
		const kept = h('div', {}, h('h3', {}, 'Stored'), json(stored));
		return foldable(`event-${id}`, summary, h('div', { class: 'columns' }, received, kept));
	};
	fill('event-list', { key, events }, () =>
		events.length > 0 ? events.slice(-listed).reverse().map(draw) : [note('No events for this key yet.')],
	);
}

const faultTable = {
	caption: 'Active faults',
	heads: ['Kind', 'On', 'Settings', 'Action'],
	none: 'No active faults.',
};

async function refreshFaults() {
	const { faults: active } = await call('GET', '/control/faults');
	const clear = (id) =>
		button(
			'Remove',
			doing(async () => void (await clearFaults(`?id=${id}`))),
		);
	fill('fault-list', active, () => {
		const rows = active.map(({ id, kind, path, ...settings }) => [
			code(kind),
			path ?? 'any request',
			code(JSON.stringify(settings)),
			clear(id),
		]);
		return list(faultTable, rows.length, rows);
	});
}

async function clearFaults(query = '') {
	await call('DELETE', `/control/faults${query}`);
	await refreshFaults();
	return 'All faults were cleared.';
}

const refreshers = [
	refreshConnect,
	refreshSubscriptions,
	refreshDeliveries,
	refreshAppointments,
	refreshDebugger,
	refreshFaults,
];
const refreshNow = async () => void (await Promise.all(refreshers.map((refresh) => refresh())));
let isAway = false;

/** Asks the sandbox for what may have changed, for as long as somebody looks. */
async function keepFresh() {
	try {
		if (!document.hidden) await refreshNow();
		if (isAway) say(null, 'The sandbox is back.');
		isAway = false;
	} catch (error) {
		isAway = true;
		say(null, `The sandbox cannot be reached: ${error.message}`, 'bad');
	}
	setTimeout(keepFresh, 2000);
}

startWebhooks(refreshNow);
const finish = async () => {
	const { conversationIds: ids } = await call('POST', '/control/processing/finish', {});
	await refreshNow();
	if (ids.length === 0) return 'No recording is being processed. Send an appointment with a media_url first.';
	return `Processed ${ids.length}: ${ids.join(', ')}.`;
};
document.getElementById('finish-processing').addEventListener('click', doing(finish));
onSubmit('debugger-form', async (given) => {
	key = given.key.trim();
	try {
		await refreshDebugger();
	} catch (error) {
		key = undefined;
		throw error;
	}
});
const { kind, path } = document.getElementById('fault-form').elements;
kind.append(...Object.keys(faults).map((text) => h('option', {}, text)));
path.append(...Object.keys(paths).map((text) => h('option', {}, text)));
onSubmit('fault-form', async (given) => {
	const fault = { ...faults[given.kind], path: paths[given.path], times: Number(given.times) };
	await call('POST', '/control/faults', fault);
	await refreshFaults();
	return 'The fault was added.';
});
document.getElementById('clear-faults').addEventListener(
	'click',
	doing(() => clearFaults()),
);
void keepFresh();
