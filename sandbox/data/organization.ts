import type { SandboxOptions } from '../options';
import { Problem } from '../problem';
import { makeTeams, makeUsers, type Staff, type Team, type User } from './people';
import { hash, idOf } from './random';
import type { ArrayName, Row } from './rows';
import { timesOf } from './times';
import { trackers } from './words';

export interface Addresses {
	appUrl: string;
	/** Creates a temporary link to a path of the object store. */
	link(path: string): string;
}

/** Selects rows. Times are epoch milliseconds; both bounds are inclusive (D1). */
export interface Query {
	by: 'date' | 'processedDate';
	from: number;
	to: number;
	users: readonly User[];
}

/** Results kept: enough for the metrics of all users in a dozen ranges. */
const MAX_CACHED = 4096;

/** An organization's users, teams and three arrays of rows. */
export class Organization {
	readonly seed: number;
	readonly id: string;
	readonly teams: Team[];
	readonly users: User[];
	/** The system account for calls imported by location (D2 § Attendee rules, 6). */
	readonly unassigned: User;
	/** Visible users with a name, the only ones to appear as viewers. */
	readonly named: User[];
	/** Start and end of the generated data in epoch milliseconds. */
	readonly firstMoment: number;
	readonly lastMoment: number;
	/** Tracker IDs by name, the same in every conversation (D1 § Tracker). */
	readonly trackerIds: Record<string, string>;
	private readonly recorders: User[];
	/** Each oldest first. */
	private readonly rows: Record<ArrayName, Row[]>;
	private readonly byId = new Map<string, Row>();
	private inserted = 0;
	private readonly cache = new Map<string, unknown>();
	/** Export fields that a linked appointment overrides. */
	linkedFields: (conversationId: string) => Record<string, unknown> | undefined = () => undefined;

	constructor(
		seed: number,
		private readonly size: SandboxOptions,
		staff: Staff,
		readonly addresses: Addresses,
	) {
		this.seed = hash(seed, 29);
		this.id = idOf(this.seed, 'organization', 0);
		this.trackerIds = Object.fromEntries(
			trackers.map((name, index) => [name, idOf(this.seed, 'tracker', index)]),
		);
		this.teams = makeTeams(this.seed, staff);
		this.users = makeUsers(this.seed, this.teams, staff);
		this.unassigned = this.users[staff.users];
		this.named = this.users.filter((user) => user.name !== null && !user.isHidden);
		this.recorders = this.users.filter((user) => user.records);
		this.firstMoment = Date.parse(size.from);
		this.lastMoment = Date.parse(size.to);
		this.rows = {
			conversations: this.generate('conversations', 1),
			awaitingUpload: this.generate('awaitingUpload', 2),
			errored: this.generate('errored', 3),
		};
		for (const row of this.rows.conversations) this.byId.set(this.conversationIdOf(row), row);
	}

	/** All conversations, oldest first. */
	get conversations(): readonly Row[] {
		return this.rows.conversations;
	}

	/** The selected rows, oldest first. Sandbox's own choice: D1 does not specify the order. */
	view(array: ArrayName, { by, from, to, users }: Query): readonly Row[] {
		const isEverybody = users.length === this.users.length;
		const who = isEverybody ? '*' : users.map((user) => user.index).join();
		return this.cached([array, by, from, to, who].join(' '), () => {
			const wanted = new Set(users);
			const selected = this.rows[array].filter(({ [by]: time, user }) => {
				return time !== null && time >= from && time <= to && (isEverybody || wanted.has(user));
			});
			// Conversations that were inserted can be processed in another order than recorded.
			return selected.sort((a, b) => a[by]! - b[by]! || a.index - b.index);
		});
	}

	/** Computes a result only once, until rows come or go. */
	cached<Result>(key: string, compute: () => Result): Result {
		if (this.cache.has(key)) return this.cache.get(key) as Result;
		const result = compute();
		if (this.cache.size >= MAX_CACHED) this.cache.clear();
		this.cache.set(key, result);
		return result;
	}

	/** IDs of conversations from a position on, oldest first. @throws Problem when there are too few */
	conversationIds(position: number, count: number): string[] {
		const { length } = this.conversations;
		if (position + count > length) {
			throw new Problem(`There are only ${length} conversations, not ${position + count}.`);
		}
		return this.conversations.slice(position, position + count).map((row) => this.conversationIdOf(row));
	}

	/** @throws Problem 404 when no conversation has this ID */
	conversation(conversationId: string): Row {
		const row = this.findConversation(conversationId);
		if (!row) throw new Problem(`No conversation has the ID "${conversationId}".`, 404);
		return row;
	}

	/** Undefined when no conversation has this ID or it was removed. */
	findConversation(conversationId: string): Row | undefined {
		return this.byId.get(conversationId);
	}

	/** Adds a conversation. Times are epoch milliseconds; by default, recorders take turns. */
	insertConversation(
		date: number,
		processedDate: number,
		user = this.recorders[this.inserted % this.recorders.length],
		fields?: Record<string, unknown>,
	): Row {
		const index = this.size.conversations + this.inserted++;
		const row: Row = { array: 'conversations', index, date, processedDate, user, fields };
		const { conversations } = this.rows;
		conversations.splice(conversations.findLastIndex((other) => other.date <= date) + 1, 0, row);
		this.byId.set(this.conversationIdOf(row), row);
		this.cache.clear();
		return row;
	}

	/** @throws Problem 404 when no conversation has this ID */
	removeConversation(conversationId: string): void {
		const row = this.conversation(conversationId);
		this.rows.conversations.splice(this.rows.conversations.indexOf(row), 1);
		this.byId.delete(conversationId);
		this.cache.clear();
	}

	conversationIdOf(row: Row): string {
		return idOf(this.seed, 'conversations', row.index);
	}

	/** A block of rows has one row per recorder; the recorders are rotated within each block. */
	private generate(array: ArrayName, salt: number): Row[] {
		const { length } = this.recorders;
		const times = timesOf(hash(this.seed, salt), this.size[array], this.firstMoment, this.lastMoment);
		return times.map(({ date, processedDate }, index) => {
			const shift = hash(this.seed, 17, Math.floor(index / length)) % length;
			const user = this.recorders[(index + shift) % length];
			const isUnprocessed = array === 'awaitingUpload' || (array === 'errored' && user.errorsStayUnprocessed);
			return { array, index, date, processedDate: isUnprocessed ? null : processedDate, user };
		});
	}
}
