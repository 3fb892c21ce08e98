import { call, doing, onSubmit } from './api.js';
import { badge, button, code, fill, foldable, h, list, note, time } from './dom.js';

const base = '/control/webhooks';
const states = { delivered: ['Delivered', 'good'], failed: ['Failed', 'bad'], pending: ['Pending', 'wait'] };
/** The result of Send test by subscription, removed by anything that could change it. */
const results = {};
let refreshAll;

/** Lines such as "X-Key: abc" as a list, so that the sandbox notices a repeated name. */
function headersIn(text) {
	const lines = text.split('\n').filter((line) => line.trim() !== '');
	return lines.map((line) => {
		const [name, ...value] = line.split(':');
		return { name: name.trim(), value: value.join(':').trim() };
	});
}

export function startWebhooks(refreshNow) {
	refreshAll = refreshNow;
	onSubmit(document.getElementById('subscription-form'), async ({ url, secret, customHeaders }, form) => {
		await call('POST', `${base}/subscriptions`, { url, secret, customHeaders: headersIn(customHeaders) });
		form.reset();
		form.closest('details').open = false;
		await refreshAll();
		return 'The subscription was added.';
	});
	onSubmit(document.getElementById('emit-form'), async ({ count }) => {
		await call('POST', `${base}/emit`, { count: Number(count), wait: false });
		await refreshAll();
		return `Conversations announced to every enabled subscription: ${count}.`;
	});
}

export async function refreshSubscriptions() {
	const subscriptions = await call('GET', `${base}/subscriptions`);
	fill('subscriptions', { subscriptions, results }, () =>
		subscriptions.length > 0 ? subscriptions.map(card) : [note('No subscriptions yet.')],
	);
}

function card({ id, url, enabled, hasSecret, customHeaders, notice }) {
	const path = `${base}/subscriptions/${id}`;
	const test = doing(async () => {
		delete results[id];
		results[id] = await call('POST', `${path}/test`);
		await refreshAll();
	});
	const remove = doing(async () => {
		await call('DELETE', path);
		await refreshAll();
		return 'The subscription was deleted.';
	});
	const verb = enabled ? 'disable' : 'enable';
	const isTestUrl = url.includes('/webhook-test/');
	const names = Object.keys(customHeaders).join(', ');
	const switchIt = doing(async () => {
		delete results[id];
		await call('PATCH', path, { enabled: !enabled });
		await refreshAll();
		return `The subscription was ${verb}d.`;
	});
	return h(
		'article',
		{},
		h(
			'div',
			{ class: 'bar' },
			code(url),
			isTestUrl ? badge('Test URL', '') : null,
			badge(enabled ? 'Enabled' : 'Disabled', enabled ? 'good' : ''),
		),
		note(
			`${hasSecret ? 'Signed' : 'Not signed'} · ${names ? `Custom headers: ${names}` : 'No custom headers'}`,
		),
		isTestUrl ? note('n8n receives at a Test URL only while it listens for a test event.') : null,
		notice ? note(notice) : null,
		results[id] ? resultOf(results[id]) : null,
		h(
			'div',
			{ class: 'bar' },
			button('Send test', test, 'primary'),
			button(enabled ? 'Disable' : 'Enable', switchIt),
			button('Delete', remove),
		),
	);
}

function resultOf({ status, isSuccess, problem, response, milliseconds }) {
	const text = status === null ? problem : `HTTP ${status} in ${milliseconds} ms`;
	const verdict = badge(isSuccess ? 'Test succeeded' : 'Test failed', isSuccess ? 'good' : 'bad');
	return h('p', { role: 'status' }, verdict, ` ${text} `, response ? code(response) : null);
}

export async function refreshDeliveries() {
	const log = await call('GET', `${base}/deliveries`);
	const { deadLetters } = await call('GET', `${base}/dead-letters`);
	const heads = ['Time', 'Event', 'Conversation', 'State', 'Attempts'];
	fill('delivery-list', log, () => list('deliveries', heads, log.deliveries, deliveryRow, log.count));
	const deadHeads = ['Time', 'Conversation', 'Attempts', 'Reason'];
	const row = (dead) => [time(dead.diedAt), linkTo(dead.conversationId), `${dead.attempts}`, dead.reason];
	fill('dead-letters', deadLetters, () => list('dead letters', deadHeads, deadLetters, row));
}

const linkTo = (id) => h('a', { href: `/app/conversations/${id}`, title: id }, code(`${id.slice(0, 8)}…`));

function deliveryRow({ id, createdAt, eventType, conversationId, state, nextRoundAt, attempts }) {
	const next = nextRoundAt ? [' next attempt ', time(nextRoundAt)] : null;
	const summary = attempts.map(({ status, problem }) => status ?? problem).join(', ');
	return [
		time(createdAt),
		code(eventType),
		eventType === 'test' ? 'synthetic' : linkTo(conversationId),
		h('span', {}, badge(...states[state]), next),
		attempts.length > 0 ? foldable(`attempts-${id}`, summary, ...attempts.map(attemptItem)) : null,
	];
}

function attemptItem({ url, status, problem, milliseconds, webhookEventId, response, round }) {
	const outcome = `Round ${round}: ${status ?? problem} in ${milliseconds} ms`;
	const event = h('small', {}, `webhook_event_id ${webhookEventId}`);
	const body = response ? h('pre', { tabIndex: 0 }, response) : null;
	return h('p', {}, outcome, h('br'), code(url), h('br'), event, body);
}
