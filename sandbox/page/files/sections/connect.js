import { call } from '../api.js';
import { copyable, fill, h } from '../dom.js';

const number = new Intl.NumberFormat();

/** Addresses, keys and totals. */
export async function refresh() {
	const { exportUrl, crmUrl, keys, totals } = await call('GET', '/control/state');
	fill('connections', { exportUrl, crmUrl, keys }, () => [
		h(
			'article',
			{},
			h('h3', {}, 'Conversation Export API'),
			copyable('Base address', exportUrl),
			copyable('Organization key', keys.organization),
			copyable('Team key', keys.team),
			h('p', { class: 'note' }, 'The team key sees one team and its subteams only.'),
		),
		h(
			'article',
			{},
			h('h3', {}, 'CRM Appointment API'),
			copyable('Base address', crmUrl),
			copyable('Organization key', keys.organization),
			copyable('Other organization', keys.otherOrganization),
			copyable('Unmapped key', keys.unmapped),
			h(
				'p',
				{ class: 'note' },
				'The unmapped key belongs to no organization: every request is answered 422.',
			),
		),
	]);
	fill('totals', totals, () => [
		total('Conversations', totals.conversations),
		total('Awaiting upload', totals.awaitingUpload),
		total('Errored', totals.errored),
	]);
}

const total = (name, count) => h('div', {}, h('dt', {}, name), h('dd', {}, number.format(count)));
