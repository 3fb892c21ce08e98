/**
 * Sends a request to the sandbox, with JSON in both directions.
 * @throws {Error} with the sandbox's own message unless the status is success
 */
export async function call(method, path, body) {
	const headers = { 'content-type': 'application/json' };
	const content = body === undefined ? {} : { headers, body: JSON.stringify(body) };
	const response = await fetch(path, { method, ...content });
	const answer = await response.json().catch(() => undefined);
	if (!response.ok)
		throw new Error(answer?.message ?? `${method} ${path} was answered with status ${response.status}.`);
	return answer;
}

/** Shows a message in a section or in the header, and removes all earlier ones. */
export function say(place, text, kind = 'good') {
	for (const output of document.querySelectorAll('output')) output.textContent = '';
	const output = (place ?? document).querySelector('output');
	output.textContent = text;
	output.className = kind;
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
			say(section, error.message, 'bad');
		} finally {
			button.disabled = false;
		}
	};
}

/** Runs an action with the values of a form when the form is submitted. */
export function onSubmit(id, action) {
	const form = document.getElementById(id);
	const submit = async () => await action(Object.fromEntries(new FormData(form)), form);
	form.addEventListener('submit', doing(submit));
}
