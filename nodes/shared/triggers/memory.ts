import type { FunctionsBase } from 'n8n-workflow';

type Context = Pick<FunctionsBase, 'getNode' | 'getWorkflow'>;

/** Triggers that a process remembers, because n8n does not tell it which workflows are gone. */
export const MAX_TRIGGERS = 1000;

/**
 * Makes a function that returns what this process remembers of a trigger; those not used for longest are forgotten.
 * @param begin what it remembers at first
 */
export function memoryOf<Memory>(begin: () => Memory): (context: Context) => Memory {
	const memories = new Map<string, Memory>();
	return (context) => {
		const key = `${context.getWorkflow().id}/${context.getNode().id}`;
		const memory = memories.get(key) ?? begin();
		memories.delete(key);
		memories.set(key, memory);
		const [longest] = memories.keys();
		if (memories.size > MAX_TRIGGERS) memories.delete(longest);
		return memory;
	};
}
