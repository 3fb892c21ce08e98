/**
 * A request to the sandbox, JSON in and out.
 * @throws {Error} with the sandbox's own message when the answer is not 2xx
 */
export async function call(method, path, body) {
	const response = await fetch(path, {
		method,
		...(body !== undefined && {
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		}),
	});
	const json = await response.json().catch(() => undefined);
	if (!response.ok) throw new Error(json?.message ?? `${method} ${path} was answered ${response.status}.`);
	return json;
}

/** Shows a message to everybody, screen readers too. */
export function say(text, kind = 'good') {
	const message = document.getElementById('message');
	message.textContent = text;
	message.className = kind;
	message.hidden = false;
}

/** Wraps what a button or form does: the outcome, or what went wrong, is shown. */
export function doing(action) {
	return async (event) => {
		event?.preventDefault();
		const button = event?.submitter ?? event?.currentTarget;
		if (button) button.disabled = true;
		try {
			const text = await action(event);
			if (text) say(text);
		} catch (error) {
			say(error.message, 'bad');
		} finally {
			if (button) button.disabled = false;
		}
	};
}
