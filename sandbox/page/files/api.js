/**
 * Sends a request to the sandbox, with JSON in both directions.
 * @throws {Error} with the sandbox's own message, and its invalid fields, unless the status is success
 */
export async function call(method, path, body) {
	const headers = { 'content-type': 'application/json' };
	const content = body === undefined ? {} : { headers, body: JSON.stringify(body) };
	const response = await fetch(path, { method, ...content });
	const result = await response.json().catch(() => undefined);
	if (!response.ok) {
		const message = result?.message ?? `${method} ${path} was answered with status ${response.status}.`;
		throw Object.assign(new Error(message), { fields: result?.fields });
	}
	return result;
}

/** Shows a message in a section or in the header, and removes all earlier ones. */
export function say(place, text, kind = 'good') {
	write((place ?? document).querySelector('output:not([for])'), text, kind);
}

function write(output, text, kind) {
	for (const earlier of document.querySelectorAll('output')) earlier.textContent = '';
	for (const field of document.querySelectorAll('[aria-invalid]')) field.removeAttribute('aria-invalid');
	output.textContent = text;
	output.className = kind;
}

/** Shows an error beside the invalid field, which describes itself by it; otherwise in the section. */
function complain(form, section, { message, fields = [] }) {
	const field = fields
		.map((name) => form?.elements[name])
		.find((each) => each?.hasAttribute('aria-describedby'));
	if (field === undefined) return say(section, message, 'bad');
	write(document.getElementById(`${field.id}-error`), message, 'bad');
	field.setAttribute('aria-invalid', 'true');
	field.focus();
}

/** Wraps the action of a button or form, so that its section shows the result or the error. */
export function doing(action) {
	return async (event) => {
		event.preventDefault();
		const button = event.submitter ?? event.currentTarget;
		const section = button.closest('section');
		button.disabled = true;
		try {
			say(section, (await action(event)) ?? '');
		} catch (error) {
			complain(button.form, section, error);
		} finally {
			button.disabled = false;
		}
	};
}

/** Runs an action with the values of a form when the form is submitted. */
export function onSubmit(form, action) {
	const submit = async () => await action(Object.fromEntries(new FormData(form)), form);
	form.addEventListener('submit', doing(submit));
	return form;
}
