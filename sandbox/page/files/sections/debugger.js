import { call, doing } from '../api.js';
import { empty, fill, h, json, time } from '../dom.js';

const listed = 50;
/** Kept in this page only, and gone with it. */
let key;

export function start() {
	const form = document.getElementById('debugger-form');
	form.addEventListener(
		'submit',
		doing(async () => {
			key = String(new FormData(form).get('key')).trim();
			try {
				await refresh();
			} catch (error) {
				key = undefined;
				throw error;
			}
		}),
	);
}

export async function refresh() {
	if (key === undefined) return;
	const { events } = await call('GET', `/control/debugger?key=${encodeURIComponent(key)}`);
	fill('event-list', { key, events }, () => draw(events));
}

function draw(events) {
	if (events.length === 0) return empty('No event was received for this key.');
	return h(
		'ol',
		{ class: 'events' },
		...events
			.slice(-listed)
			.reverse()
			.map(({ id, receivedAt, eventId, payload, stored }) =>
				h(
					'li',
					{},
					h(
						'details',
						{ id: `event-${id}` },
						h('summary', {}, time(receivedAt), ' ', h('code', {}, eventId)),
						h(
							'div',
							{ class: 'columns' },
							h('div', {}, h('h3', {}, 'Received'), json(payload)),
							h('div', {}, h('h3', {}, 'Stored'), json(stored)),
						),
					),
				),
			),
	);
}
