import { call, doing, onSubmit, say } from './api.js';
import { badge, button, code, copyable, fill, foldable, h, json, list, note, time } from './dom.js';
import { refreshDeliveries, refreshSubscriptions, startWebhooks } from './webhooks.js';

/** The debugger's key, kept only in this page. */
let key;

const article = (title, ...content) => h('article', {}, h('h3', {}, title), ...content);

async function refreshConnect() {
	const { exportUrl, crmUrl, keys, options, totals } = await call('GET', '/control/state');
	fill('connections', { exportUrl, crmUrl, keys }, () => [
		article(
			'Conversation Export API',
			copyable('Base URL', exportUrl),
			copyable('API Key', keys.organization),
			copyable('Signing Secret', options.signingSecret),
			copyable('Key of one team', keys.team),
			note('The key of one team sees that team and its subteams only.'),
		),
		article(
			'CRM Appointment API',
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

async function refreshAppointments() {
	const { appointments } = await call('GET', '/control/appointments');
	const heads = ['Event ID', 'Title', 'Start (UTC)', 'End (UTC)', 'Attendees', 'Result', 'Recording'];
	const row = ({ event_id, title, start_time, end_time, attendees, result, hasRecording }) => {
		const recording = hasRecording ? badge('Linked', 'good') : null;
		return [code(event_id), title, start_time, end_time, attendees.join(', '), result, recording];
	};
	fill('appointment-list', appointments, () => list('appointments', heads, appointments.reverse(), row));
}

async function refreshMails() {
	const { mails } = await call('GET', '/control/mails');
	const row = ({ id, subject, to, date }) => [
		h('a', { href: `/mails/${id}`, target: '_blank' }, subject),
		to,
		date ? time(date) : null,
	];
	fill('mail-list', mails, () => list('mails', ['Subject', 'To', 'Sent'], mails.reverse(), row));
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
	const none = [note('No events for this key yet.')];
	fill('event-list', { key, events }, () =>
		events.length > 0 ? events.slice(-50).reverse().map(draw) : none,
	);
}

async function refreshFaults() {
	const { faults } = await call('GET', '/control/faults');
	const row = ({ id, kind, path, ...settings }) => {
		const clear = doing(() => clearFaults(`?id=${id}`));
		return [code(kind), path ?? 'any request', code(JSON.stringify(settings)), button('Remove', clear)];
	};
	fill('fault-list', faults, () => list('faults', ['Kind', 'On', 'Settings', 'Action'], faults, row));
}

async function clearFaults(query = '') {
	await call('DELETE', `/control/faults${query}`);
	await refreshFaults();
	return query ? 'The fault was removed.' : 'All faults were removed.';
}

const refreshers = [
	refreshConnect,
	refreshSubscriptions,
	refreshDeliveries,
	refreshAppointments,
	refreshMails,
	refreshDebugger,
	refreshFaults,
];
const refreshNow = async () => void (await Promise.all(refreshers.map((refresh) => refresh())));
let isAway = false;

/** Refreshes what may have changed while the page is visible. */
async function keepFresh() {
	try {
		if (!document.hidden) await refreshNow();
		if (isAway) say(null, 'The local service is back.');
		isAway = false;
	} catch (error) {
		isAway = true;
		say(null, `The local service cannot be reached: ${error.message}`, 'bad');
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
onSubmit(document.getElementById('debugger-form'), async (given) => {
	key = given.key.trim();
	try {
		await refreshDebugger();
	} catch (error) {
		key = undefined;
		throw error;
	}
});
onSubmit(document.getElementById('fault-form'), async ({ fault, path, times }) => {
	const where = path === '' ? {} : { path };
	await call('POST', '/control/faults', { ...JSON.parse(fault), ...where, times: Number(times) });
	await refreshFaults();
	return 'The fault was added.';
});
const clearAll = doing(() => clearFaults());
document.getElementById('clear-faults').addEventListener('click', clearAll);
void keepFresh();
