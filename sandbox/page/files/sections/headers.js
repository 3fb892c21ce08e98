import { h } from '../dom.js';

const most = 5;

function row(name, value, changed) {
	const remove = h(
		'button',
		{ type: 'button', class: 'small', 'aria-label': 'Remove this header' },
		'Remove',
	);
	const line = h(
		'div',
		{ class: 'header-row' },
		h('input', {
			value: name,
			placeholder: 'X-Receiver-Key',
			'aria-label': 'Header name',
			'data-part': 'name',
		}),
		h('input', { value, placeholder: 'Value', 'aria-label': 'Header value', 'data-part': 'value' }),
		remove,
	);
	remove.addEventListener('click', () => {
		line.remove();
		changed();
	});
	return line;
}

/** Turns an element into an editor of custom headers. @returns a function that reads them */
export function headersEditor(place, headers = {}) {
	const add = h('button', { type: 'button', class: 'small' }, 'Add header');
	const rows = h('div', {});
	const changed = () => (add.disabled = rows.children.length >= most);
	const append = (name, value) => {
		rows.append(row(name, value, changed));
		changed();
	};
	add.addEventListener('click', () => {
		append('', '');
		rows.lastElementChild.querySelector('input').focus();
	});
	for (const [name, value] of Object.entries(headers)) append(name, value);
	place.replaceChildren(rows, add);
	const part = (line, name) => line.querySelector(`[data-part=${name}]`).value;
	// A list, so that a name that is there twice is refused by the sandbox instead of swallowed here.
	return () => [...rows.children].map((line) => ({ name: part(line, 'name'), value: part(line, 'value') }));
}
