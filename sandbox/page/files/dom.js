/**
 * Makes an element. Properties that begin with "on" are listeners, "class" and names with a dash are
 * attributes; children that are null or undefined are left out. Text is never read as HTML.
 */
export function h(tag, properties = {}, ...children) {
	const element = document.createElement(tag);
	for (const [name, value] of Object.entries(properties)) {
		if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
		else if (name === 'class' || name.includes('-')) element.setAttribute(name, value);
		else element[name] = value;
	}
	element.append(...children.flat().filter((child) => child !== null && child !== undefined));
	return element;
}

/** A table with a caption for screen readers; each row is a list of cells. */
export function table(caption, heads, rows) {
	return h(
		'div',
		{ class: 'scroll' },
		h(
			'table',
			{},
			h('caption', { class: 'unseen' }, caption),
			h('thead', {}, h('tr', {}, ...heads.map((head) => h('th', { scope: 'col' }, head)))),
			h('tbody', {}, ...rows.map((cells) => h('tr', {}, ...cells.map((cell) => h('td', {}, cell ?? '–'))))),
		),
	);
}

export const badge = (text, kind) => h('span', { class: `badge ${kind}` }, text);
export const empty = (text) => h('p', { class: 'empty' }, text);
export const json = (value) => h('pre', { tabIndex: 0 }, JSON.stringify(value, null, 2));

/** Local time, with the exact instant as a title. */
export function time(iso) {
	const at = new Date(iso);
	return h('time', { dateTime: iso, title: iso }, at.toLocaleString(undefined, { hour12: false }));
}

/** A value in a fixed font with a button that copies it. */
export function copyable(label, value) {
	const button = h('button', { type: 'button', class: 'small', 'aria-label': `Copy ${label}` }, 'Copy');
	button.addEventListener('click', async () => {
		await navigator.clipboard.writeText(value);
		button.textContent = 'Copied';
		setTimeout(() => (button.textContent = 'Copy'), 1500);
	});
	return h('div', { class: 'copyable' }, h('span', { class: 'label' }, label), h('code', {}, value), button);
}

const shown = new WeakMap();

/**
 * Fills a place, but only when the data differs from what it shows already: a refresh must not close what
 * somebody opened, nor take the focus away.
 */
export function fill(id, data, draw) {
	const place = document.getElementById(id);
	const now = JSON.stringify(data);
	if (shown.get(place) === now) return;
	shown.set(place, now);
	const open = new Set([...place.querySelectorAll('details[open][id]')].map((details) => details.id));
	place.replaceChildren(...[draw(data)].flat());
	for (const details of place.querySelectorAll('details[id]')) details.open = open.has(details.id);
}
