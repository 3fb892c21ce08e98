/** An edit to the sandbox that breaks a documented rule. */
export interface Mutation {
	/** The broken rule; a test that names it must fail. */
	rule: string;
	what: string;
	/** Path relative to the repository. */
	file: string;
	/** Code that occurs exactly once in the file. */
	find: string;
	replace: string;
}

/**
 * Applies the mutation to the file's text.
 * @throws Error when `find` does not occur exactly once, because the sandbox has changed
 */
export function edited({ file, find, replace, what }: Mutation, text: string): string {
	const parts = text.split(find);
	if (parts.length !== 2)
		throw new Error(`"${what}": ${file} contains the code to edit ${parts.length - 1} times.`);
	return parts.join(replace);
}
