/**
 * Creates an element. Properties that begin with "on" are listeners; "class" and names with a dash are
 * attributes. Skips children that are null or undefined. Never parses text as HTML.
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

export const code = (text) => h('code', {}, text);
export const badge = (text, kind) => h('span', { class: `badge ${kind}` }, text);
export const note = (text) => h('p', { class: 'note' }, text);
export const json = (value) => h('pre', { tabIndex: 0 }, JSON.stringify(value, null, 2));
export const button = (text, onclick, kind = '') =>
	h('button', { type: 'button', class: kind, onclick }, text);
export const foldable = (id, summary, ...content) =>
	h('details', { id }, h('summary', {}, summary), ...content);

/** A table with a name for screen readers. Each row is a list of cells. */
function table(name, heads, rows) {
	const head = heads.map((text) => h('th', { scope: 'col' }, text));
	const body = rows.map((cells) => h('tr', {}, ...cells.map((content) => h('td', {}, content ?? '–'))));
	const thead = h('thead', {}, h('tr', {}, ...head));
	// Focusable, so that keys can scroll it.
	return h(
		'div',
		{ class: 'scroll', tabIndex: 0, role: 'group', 'aria-label': name },
		h('table', {}, thead, h('tbody', {}, ...body)),
	);
}

const listed = 25;

/** The newest things as a table, newest first, with a note if there are more. */
export function list(things, heads, all, row, count = all.length) {
	if (count === 0) return [note(`No ${things} yet.`)];
	const shown = table(`The ${things}, newest first`, heads, all.slice(0, listed).map(row));
	return count > listed ? [shown, note(`The newest ${listed} of ${count}.`)] : [shown];
}

/** Local time, with the exact instant as the tooltip. */
export function time(iso) {
	const text = new Date(iso).toLocaleString(undefined, { hour12: false });
	return h('time', { dateTime: iso, title: iso }, text);
}

/** A value in a monospace font with a button that copies it. */
export function copyable(label, value) {
	const copy = button('Copy', async () => {
		await navigator.clipboard.writeText(value);
		copy.textContent = 'Copied';
		setTimeout(() => (copy.textContent = 'Copy'), 1500);
	});
	copy.setAttribute('aria-label', `Copy ${label}`);
	return h('div', { class: 'copyable' }, h('span', {}, label), code(value), copy);
}

const shown = new WeakMap();

/**
 * Fills an element, but only if its data has changed: a refresh must not close what a user has opened or take
 * away the focus.
 */
export function fill(id, data, draw) {
	const place = document.getElementById(id);
	const now = JSON.stringify(data);
	if (shown.get(place) === now) return;
	shown.set(place, now);
	const open = new Set([...place.querySelectorAll('details[open]')].map((details) => details.id));
	place.replaceChildren(...draw(data));
	for (const details of place.querySelectorAll('details')) details.open = open.has(details.id);
}
