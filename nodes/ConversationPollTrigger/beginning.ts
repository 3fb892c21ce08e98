import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { z } from 'zod';

/** Times are milliseconds since 1970. */
const beginningSchema = z.object({ nodeId: z.string(), start: z.string(), floor: z.number() });

/** From where a trigger without a position hands over, and the setting that says so. */
export type Beginning = z.infer<typeof beginningSchema>;

/**
 * The beginning of a trigger that may have no position yet: that of its first poll that worked. It is kept in the
 * workflow's static data, for with durable cursors n8n drops the position of the poll at publication: the first
 * scheduled poll would begin at its own now and skip what was processed since.
 */
export class BeginningMemory {
	private readonly shared: IDataObject;
	private readonly key: string;
	private readonly nodeId: string;

	constructor(context: IPollFunctions) {
		const { id, name } = context.getNode();
		this.shared = context.getWorkflowStaticData('global');
		this.key = `conversationPollTrigger:${name}`;
		this.nodeId = id;
	}

	/** What is remembered of this node; a node that replaced it begins anew. */
	recall(): Beginning | undefined {
		const known = beginningSchema.safeParse(this.shared[this.key]).data;
		return known?.nodeId === this.nodeId ? known : undefined;
	}

	/** Remembers, once a poll has worked: before, there is nothing that began. */
	remember({ start, floor }: Pick<Beginning, 'start' | 'floor'>): void {
		const known = this.recall();
		if (known?.start === start && known.floor === floor) return;
		this.shared[this.key] = { nodeId: this.nodeId, start, floor };
	}
}
