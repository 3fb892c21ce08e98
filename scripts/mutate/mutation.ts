/** A small edit of the sandbox that breaks one rule of the documents. */
export interface Mutation {
	/** The rule that is broken; a test whose title names it must fail. */
	rule: string;
	what: string;
	/** From the repository's root. */
	file: string;
	/** Occurs exactly once in the file. */
	find: string;
	replace: string;
}

/**
 * The file's text with the mutation in it.
 * @throws Error when the code to edit is not there exactly once: the mutation has to follow the sandbox
 */
export function edited({ file, find, replace, what }: Mutation, text: string): string {
	const parts = text.split(find);
	if (parts.length !== 2)
		throw new Error(`"${what}": ${file} holds the code to edit ${parts.length - 1} times.`);
	return parts.join(replace);
}
