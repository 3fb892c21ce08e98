import type { FunctionsBase } from 'n8n-workflow';

type Context = Pick<FunctionsBase, 'getNode' | 'getWorkflow'>;

/**
 * Makes a function that returns what this process remembers of a trigger.
 *
 * @param begin what it remembers at first
 */
export function memoryOf<Memory>(begin: () => Memory): (context: Context) => Memory {
	const memories = new Map<string, Memory>();
	return (context) => {
		const key = `${context.getWorkflow().id}/${context.getNode().id}`;
		const memory = memories.get(key) ?? begin();
		memories.set(key, memory);
		return memory;
	};
}
