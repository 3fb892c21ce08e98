import { call, doing } from '../api.js';
import { badge, empty, fill, h, table } from '../dom.js';

const listed = 50;

export function start(refreshNow) {
	document.getElementById('finish-processing').addEventListener(
		'click',
		doing(async () => {
			const { conversationIds } = await call('POST', '/control/processing/finish', {});
			await refreshNow();
			return conversationIds.length === 0
				? 'No recording is being processed. Send an appointment with a media_url first.'
				: `${conversationIds.length} processed: ${conversationIds.join(', ')}.`;
		}),
	);
}

export async function refresh() {
	const { appointments } = await call('GET', '/control/appointments');
	fill('appointment-list', appointments, draw);
}

function draw(appointments) {
	if (appointments.length === 0) return empty('No appointment was received yet.');
	const heads = ['Event ID', 'Title', 'Start (UTC)', 'End (UTC)', 'Attendees', 'Result', 'Recording'];
	const newest = appointments.slice(-listed).reverse();
	const rows = newest.map(({ event_id, title, start_time, end_time, attendees, result, hasRecording }) => [
		h('code', {}, event_id),
		title,
		start_time,
		end_time,
		attendees.join(', '),
		result,
		hasRecording ? badge('Linked', 'good') : null,
	]);
	return [
		table('Appointments, newest first', heads, rows),
		appointments.length > listed
			? h('p', { class: 'note' }, `The newest ${listed} of ${appointments.length}.`)
			: null,
	].filter((part) => part !== null);
}
