import { call, doing } from '../api.js';
import { empty, fill, h, table } from '../dom.js';

/** Each fault with what it needs beyond its kind. */
const kinds = {
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

export function start() {
	const form = document.getElementById('fault-form');
	const option = (text) => h('option', {}, text);
	form.elements.kind.append(...Object.keys(kinds).map(option));
	form.elements.path.append(...Object.keys(paths).map(option));
	form.addEventListener(
		'submit',
		doing(async () => {
			const { kind, path, times } = Object.fromEntries(new FormData(form));
			await call('POST', '/control/faults', { ...kinds[kind], path: paths[path], times: Number(times) });
			await refresh();
			return 'The fault is set.';
		}),
	);
	document.getElementById('clear-faults').addEventListener(
		'click',
		doing(async () => {
			await call('DELETE', '/control/faults');
			await refresh();
			return 'No fault is set any more.';
		}),
	);
}

export async function refresh() {
	const { faults } = await call('GET', '/control/faults');
	fill('fault-list', faults, draw);
}

function draw(faults) {
	if (faults.length === 0) return empty('No fault is set.');
	return table(
		'Faults that are set',
		['Kind', 'On', 'Settings', ''],
		faults.map(({ id, kind, path, ...settings }) => [
			h('code', {}, kind),
			path ?? 'any request',
			h('code', {}, JSON.stringify(settings)),
			h(
				'button',
				{
					type: 'button',
					class: 'small',
					onclick: doing(async () => {
						await call('DELETE', `/control/faults?id=${id}`);
						await refresh();
					}),
				},
				'Remove',
			),
		]),
	);
}
