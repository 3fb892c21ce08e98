import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { processedEvent } from '../../../harness/webhook/deliveries';
import { ACCEPTED } from './accepted';
import type { Fuzz, Mutation } from './bytes';
import { REFUSED } from './refused';

export type { Mutation } from './bytes';

export interface MutationSecrets {
	current: string;
	previous: string;
}

const KINDS = [
	...Object.entries(ACCEPTED).map(([kind, make]) => ({ kind, make, accept: true })),
	...Object.entries(REFUSED).map(([kind, make]) => ({ kind, make, accept: false })),
];

/** Generates mutated deliveries from a seed, with new IDs and times. About one in seven must be accepted. */
export function mutations(count: number, seed: number, { current, previous }: MutationSecrets): Mutation[] {
	const accepted = KINDS.filter(({ accept }) => accept);
	const refused = KINDS.filter(({ accept }) => !accept);
	const fuzz: fc.Arbitrary<Fuzz> = fc.record({
		text: fc.string({ unit: 'binary', maxLength: 60 }),
		bytes: fc.uint8Array({ maxLength: 300 }),
		at: fc.nat(1_000_000),
		json: fc.jsonValue({ maxDepth: 2 }),
	});
	const kind = fc.oneof(
		{ weight: 1, arbitrary: fc.constantFrom(...accepted) },
		{ weight: 6, arbitrary: fc.constantFrom(...refused) },
	);
	return fc
		.sample(fc.tuple(kind, fuzz, fc.boolean()), { numRuns: count, seed })
		.map(([{ kind: name, make, accept }, given, byPrevious]) => {
			const event = processedEvent(randomUUID());
			return { kind: name, accept, ...make(event, byPrevious ? previous : current, given) };
		})
		.filter(
			({ kind: name, headers }) => name !== 'uppercase digits' || /=[^a-f]*[A-F]/.test(headers.at(-1) ?? ''),
		);
}
