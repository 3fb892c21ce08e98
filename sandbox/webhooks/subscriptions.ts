import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { checked, Problem } from '../problem';
import { type CustomHeaders, customHeaderProblems, endpointProblem, loopbackNotice } from './rules';

/** Sandbox's own choice: secrets are not encrypted, because the sandbox is local. */
export interface Subscription {
	id: string;
	url: string;
	enabled: boolean;
	/** Without a secret, deliveries are not signed. */
	secret?: string;
	customHeaders: CustomHeaders;
	createdAt: string;
}

/** A map or a list. Only a list can repeat a name, which is refused. */
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

/** Only these can change (D1 § Webhook subscription management). */
const changeInput = z.object({ enabled: z.boolean(), customHeaders: headersInput }).partial().strict();

/** A subscription as administrators see it: without the secret. */
export function shown({ secret, ...subscription }: Subscription) {
	const isLocal = new URL(subscription.url).protocol === 'http:';
	return { ...subscription, hasSecret: secret !== undefined, ...(isLocal && { notice: loopbackNotice }) };
}

/** The organization's subscriptions (D1 § Webhook subscription management, § Custom headers). */
export class Subscriptions {
	private readonly byId = new Map<string, Subscription>();

	list(): Subscription[] {
		return [...this.byId.values()];
	}

	enabled(): Subscription[] {
		return this.list().filter(({ enabled }) => enabled);
	}

	/** @throws Problem 404 when no subscription has this ID. */
	get(id: string): Subscription {
		const subscription = this.byId.get(id);
		if (!subscription) throw new Problem(`No subscription has the ID "${id}".`, 404);
		return subscription;
	}

	/** @throws Problem that names each broken rule. */
	add(input: unknown): Subscription {
		const { secret, ...rest } = checked(addInput, input);
		const subscription: Subscription = {
			id: randomUUID(),
			...rest,
			...(secret && { secret }),
			createdAt: new Date().toISOString(),
		};
		this.byId.set(subscription.id, subscription);
		return subscription;
	}

	/** Enables, disables or replaces the custom headers. @throws Problem like `get` and `add`. */
	change(id: string, input: unknown): Subscription {
		const changed = { ...this.get(id), ...checked(changeInput, input) };
		this.byId.set(id, changed);
		return changed;
	}

	/** @throws Problem 404 when no subscription has this ID. */
	remove(id: string): void {
		this.get(id);
		this.byId.delete(id);
	}
}
