import { call, doing } from '../api.js';
import { badge, empty, fill, h } from '../dom.js';
import { headersEditor } from './headers.js';

const base = '/control/webhooks/subscriptions';
let refreshAll = async () => undefined;
/** What Send test gave back, by subscription. */
const results = {};

export function start(refreshNow) {
	refreshAll = refreshNow;
	const form = document.getElementById('subscription-form');
	let readHeaders = headersEditor(form.querySelector('.headers'));
	form.addEventListener(
		'submit',
		doing(async () => {
			const { url, secret } = Object.fromEntries(new FormData(form));
			await call('POST', base, { url, secret, customHeaders: readHeaders() });
			form.reset();
			readHeaders = headersEditor(form.querySelector('.headers'));
			document.getElementById('add-subscription').open = false;
			await refresh();
			return 'The subscription was added.';
		}),
	);
}

export async function refresh() {
	const subscriptions = await call('GET', base);
	fill('subscriptions', { subscriptions, results }, () =>
		subscriptions.length > 0 ? subscriptions.map(card) : empty('No subscription yet.'),
	);
}

function resultOf({ status, isSuccess, problem, answer, milliseconds }) {
	const text = status === null ? problem : `HTTP ${status} in ${milliseconds} ms`;
	return h(
		'p',
		{ class: 'result', role: 'status' },
		badge(isSuccess ? 'Test succeeded' : 'Test failed', isSuccess ? 'good' : 'bad'),
		` ${text}`,
		answer ? h('code', {}, answer) : null,
	);
}

function card(subscription) {
	const { id, url, enabled, hasSecret, customHeaders, notice } = subscription;
	const names = Object.keys(customHeaders);
	const change = (body, text) =>
		doing(async () => {
			await call('PATCH', `${base}/${id}`, body());
			await refresh();
			return text;
		});
	const test = doing(async () => {
		results[id] = await call('POST', `${base}/${id}/test`);
		await refreshAll();
	});
	const remove = doing(async () => {
		await call('DELETE', `${base}/${id}`);
		delete results[id];
		await refresh();
		return 'The subscription was deleted.';
	});
	return h(
		'article',
		{ class: enabled ? '' : 'off' },
		h(
			'div',
			{ class: 'bar' },
			h('code', { class: 'url' }, url),
			badge(enabled ? 'Enabled' : 'Disabled', enabled ? 'good' : 'quiet'),
		),
		h(
			'p',
			{ class: 'note' },
			hasSecret ? 'Signed' : 'Not signed',
			` · ${names.length > 0 ? `Custom headers: ${names.join(', ')}` : 'No custom headers'}`,
		),
		notice ? h('p', { class: 'note' }, notice) : null,
		results[id] ? resultOf(results[id]) : null,
		h(
			'div',
			{ class: 'actions' },
			h('button', { type: 'button', class: 'primary', onclick: test }, 'Send test'),
			h(
				'button',
				{
					type: 'button',
					onclick: change(
						() => ({ enabled: !enabled }),
						`The subscription was ${enabled ? 'disabled' : 'enabled'}.`,
					),
				},
				enabled ? 'Disable' : 'Enable',
			),
			h('button', { type: 'button', class: 'danger', onclick: remove }, 'Delete'),
		),
		headersOf(id, customHeaders, change),
	);
}

function headersOf(id, customHeaders, change) {
	const place = h('div', { class: 'headers' });
	const read = headersEditor(place, customHeaders);
	const save = change(() => ({ customHeaders: read() }), 'The custom headers were saved.');
	return h(
		'details',
		{ id: `headers-${id}` },
		h('summary', {}, 'Edit headers'),
		place,
		h('div', { class: 'actions' }, h('button', { type: 'button', onclick: save }, 'Save headers')),
	);
}
