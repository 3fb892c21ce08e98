import { call, doing } from '../api.js';
import { badge, empty, fill, h, table, time } from '../dom.js';

const base = '/control/webhooks';
const states = { delivered: ['Delivered', 'good'], failed: ['Failed', 'bad'], pending: ['Pending', 'wait'] };
const listed = 25;

export function start(refreshNow) {
	const form = document.getElementById('emit-form');
	form.addEventListener(
		'submit',
		doing(async () => {
			const count = Number(new FormData(form).get('count'));
			await call('POST', `${base}/emit`, { count, wait: false });
			await refreshNow();
			return `${count} ${count === 1 ? 'conversation is' : 'conversations are'} announced to every enabled subscription.`;
		}),
	);
}

export async function refresh() {
	const [deliveries, dead] = await Promise.all([
		call('GET', `${base}/deliveries?limit=${listed}`),
		call('GET', `${base}/dead-letters`),
	]);
	fill('delivery-list', deliveries, drawDeliveries);
	fill('dead-letters', dead, drawDeadLetters);
}

function drawDeliveries({ count, deliveries }) {
	if (count === 0) return empty('Nothing was delivered yet.');
	const heads = ['Time', 'Event', 'Conversation', 'State', 'Attempts'];
	const rows = deliveries.map(
		({ id, createdAt, eventType, conversationId, state, nextRoundAt, attempts }) => [
			time(createdAt),
			h('code', {}, eventType),
			eventType === 'test' ? 'synthetic' : linkTo(conversationId),
			h('span', {}, badge(...states[state]), nextRoundAt ? [' next try ', time(nextRoundAt)] : null),
			attempts.length > 0 ? attemptsOf(id, attempts) : null,
		],
	);
	return [
		table('Deliveries, newest first', heads, rows),
		count > deliveries.length
			? h('p', { class: 'note' }, `The newest ${deliveries.length} of ${count}.`)
			: null,
	].filter((part) => part !== null);
}

const linkTo = (id) =>
	h('a', { href: `/app/conversations/${id}`, title: id }, h('code', {}, `${id.slice(0, 8)}…`));

function attemptsOf(id, attempts) {
	return h(
		'details',
		{ id: `attempts-${id}` },
		h('summary', {}, attempts.map(({ status, problem }) => status ?? problem).join(', ')),
		h(
			'ol',
			{},
			...attempts.map(({ url, status, problem, milliseconds, webhookEventId, answer, round }) =>
				h(
					'li',
					{},
					`Round ${round}: ${status ?? problem} in ${milliseconds} ms`,
					h('br'),
					h('code', {}, url),
					h('br'),
					h('small', {}, `webhook_event_id ${webhookEventId}`),
					answer ? h('pre', {}, answer) : null,
				),
			),
		),
	);
}

function drawDeadLetters({ count, deadLetters }) {
	if (count === 0) return empty('None: no event was given up.');
	return table(
		'Events that are not tried again, newest first',
		['Time', 'Conversation', 'Attempts', 'Reason'],
		deadLetters
			.slice(0, listed)
			.map(({ diedAt, conversationId, attempts, reason }) => [
				time(diedAt),
				linkTo(conversationId),
				String(attempts),
				reason,
			]),
	);
}
