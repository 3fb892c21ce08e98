import { randomUUID } from 'node:crypto';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { z } from 'zod';
import { isLoopback } from '../http';
import { checked, Problem } from '../problem';

/** Sandbox's own choice: secrets are not encrypted, because the sandbox is local. */
export interface Subscription {
	id: string;
	url: string;
	enabled: boolean;
	/** Without a secret, deliveries are not signed. */
	secret?: string;
	/** Values by name, as entered. */
	customHeaders: Record<string, string>;
	createdAt: string;
}

const MAX_HEADERS = 5;
const MAX_BYTES = 4096;
/** Names that cannot be set, in any case (D1-HDR-04). */
const RESERVED = new Set(
	(
		'Content-Type, X-Service-Signature, Host, Content-Length, Transfer-Encoding, Connection, ' +
		'Keep-Alive, TE, Trailer, Upgrade, Proxy-Authorization, Proxy-Authenticate'
	)
		.toLowerCase()
		.split(', '),
);

const isValid = (check: () => void): boolean => {
	try {
		check();
		return true;
	} catch {
		return false;
	}
};

/** A map or a list (D1-HDR-01 to 04). Only a list can repeat a name. Messages never quote values, which can be credentials. */
const headersInput = z
	.union([
		z.record(z.string()).transform((map) => Object.entries(map)),
		z
			.array(z.object({ name: z.string(), value: z.string() }).strict())
			.transform((list) => list.map(({ name, value }): [string, string] => [name, value])),
	])
	.superRefine((headers, context) => {
		const refuse = (message: string) => context.addIssue({ code: 'custom', message });
		const { length } = headers;
		if (length > MAX_HEADERS) refuse(`At most ${MAX_HEADERS} custom headers are allowed, not ${length}.`);
		const names = headers.map(([name]) => name.toLowerCase());
		for (const [index, [name, value]] of headers.entries()) {
			const shown = JSON.stringify(name);
			if (names.indexOf(names[index]) < index) refuse(`The header ${shown} occurs twice; names ignore case.`);
			else if (RESERVED.has(names[index])) refuse(`The header ${shown} is reserved and cannot be set.`);
			else if (!isValid(() => validateHeaderName(name)))
				refuse(`The header name ${shown} is not valid HTTP header text (no spaces).`);
			else if (!isValid(() => validateHeaderValue(name, value)))
				refuse(`The value of the header ${shown} is not valid HTTP header text (no line breaks).`);
		}
		const bytes = Buffer.byteLength(JSON.stringify(Object.fromEntries(headers)));
		if (bytes > MAX_BYTES)
			refuse(`The custom headers are ${bytes} bytes as JSON; at most ${MAX_BYTES} are allowed.`);
	})
	.transform((headers): Record<string, string> => Object.fromEntries(headers));

/** Whether deliveries can go to this origin (D1-WH-05). Sandbox's own choice: plain HTTP on this machine, for a local n8n. */
export function isDeliverable({ protocol, hostname }: URL): boolean {
	return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

function endpointProblem(text: string): string | undefined {
	if (!URL.canParse(text)) return 'The URL is not a complete address such as https://example.com/webhook.';
	const url = new URL(text);
	if (!isDeliverable(url)) return 'The URL must begin with https:// (http:// only for this machine).';
	if (url.username || url.password)
		return 'The URL must not hold a user name or password: use a custom header.';
	return undefined;
}

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

const NOTICE =
	'Plain HTTP is accepted here because the address is on this machine. The service itself delivers to HTTPS endpoints only.';

/** A subscription as administrators see it: without the secret. */
export function shown({ secret, ...subscription }: Subscription) {
	const isLocal = new URL(subscription.url).protocol === 'http:';
	return { ...subscription, hasSecret: secret !== undefined, ...(isLocal && { notice: NOTICE }) };
}

/** The organization's subscriptions (D1 § Webhook subscription management, § Custom headers). */
export class Subscriptions {
	private readonly byId = new Map<string, Subscription>();

	list(): Subscription[] {
		return [...this.byId.values()];
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
		const more = { id: randomUUID(), createdAt: new Date().toISOString(), ...(secret && { secret }) };
		this.byId.set(more.id, { ...rest, ...more });
		return this.get(more.id);
	}

	/** Enables, disables or replaces the custom headers. @throws Problem like `get` and `add`. */
	change(id: string, input: unknown): Subscription {
		this.byId.set(id, { ...this.get(id), ...checked(changeInput, input) });
		return this.get(id);
	}

	/** @throws Problem 404 when no subscription has this ID. */
	remove(id: string): void {
		this.get(id);
		this.byId.delete(id);
	}
}
