import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { checked, Problem } from '../problem';
import type { Collection } from '../store';
import { type CustomHeaders, customHeaderProblems, endpointProblem, loopbackNotice } from './rules';

/** Sandbox's own choice: nothing here is encrypted; it is local and for trying out. */
export interface Subscription {
	id: string;
	url: string;
	enabled: boolean;
	/** Undefined: deliveries carry no signature. */
	secret?: string;
	customHeaders: CustomHeaders;
	createdAt: string;
}

/** A map, or a list, in which a name can occur twice and is then refused. */
const headersInput = z
	.union([
		z.record(z.string()).transform((map) => Object.entries(map)),
		z
			.array(z.object({ name: z.string(), value: z.string() }).strict())
			.transform((list) => list.map(({ name, value }): [string, string] => [name, value])),
	])
	.superRefine((headers, context) => {
		for (const message of customHeaderProblems(headers)) context.addIssue({ code: 'custom', message });
	})
	.transform((headers): CustomHeaders => Object.fromEntries(headers));

const endpoint = z
	.string()
	.trim()
	.superRefine((url, context) => {
		const message = endpointProblem(url);
		if (message) context.addIssue({ code: 'custom', message });
	});

const addInput = z
	.object({
		url: endpoint,
		secret: z.string().nullish(),
		customHeaders: headersInput.default({}),
		enabled: z.boolean().default(true),
	})
	.strict();

/** Only these can change without deletion (D1 § Webhook subscription management). */
const changeInput = z.object({ enabled: z.boolean(), customHeaders: headersInput }).partial().strict();

/** What an administrator sees of a subscription: everything but the secret. */
export function shown({ secret, ...subscription }: Subscription) {
	const isLocal = new URL(subscription.url).protocol === 'http:';
	return { ...subscription, hasSecret: secret !== undefined, ...(isLocal && { notice: loopbackNotice }) };
}

/** The organization's subscriptions (D1 § Webhook subscription management, § Custom headers). */
export class Subscriptions {
	constructor(private readonly stored: Collection<Subscription>) {}

	list(): Subscription[] {
		return this.stored.list();
	}

	/** Those a processed conversation is sent to. */
	enabled(): Subscription[] {
		return this.list().filter(({ enabled }) => enabled);
	}

	/** @throws Problem (404) when there is none. */
	get(id: string): Subscription {
		const subscription = this.stored.get(id);
		if (!subscription) throw new Problem(`No subscription has the ID "${id}".`, 404);
		return subscription;
	}

	/** @throws Problem naming each rule that the input breaks. */
	add(input: unknown): Subscription {
		const { secret, ...rest } = checked(addInput, input);
		const subscription: Subscription = {
			id: randomUUID(),
			...rest,
			...(secret && { secret }),
			createdAt: new Date().toISOString(),
		};
		this.stored.put(subscription.id, subscription);
		return subscription;
	}

	/** Enables, disables or replaces the custom headers. @throws Problem as `get` and `add` do. */
	change(id: string, input: unknown): Subscription {
		const changed = { ...this.get(id), ...checked(changeInput, input) };
		this.stored.put(id, changed);
		return changed;
	}

	/** @throws Problem (404) when there is none. */
	remove(id: string): void {
		this.get(id);
		this.stored.delete(id);
	}
}
