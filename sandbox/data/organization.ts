import type { SandboxOptions } from '../options';
import { Problem } from '../problem';
import { makeTeams, makeUsers, type Staff, type Team, type User } from './people';
import { hash, idOf, indexOfId } from './random';
import type { ArrayName, Row } from './rows';
import { Timeline } from './timeline';
import { trackers } from './words';

/** Selects rows. Times are epoch milliseconds; both bounds are inclusive (D1). */
export interface Query {
	by: 'date' | 'processedDate';
	from: number;
	to: number;
	users: readonly User[];
}

/** The selected rows in order, built on access. */
export class View {
	/** In a shuffled list, so many positions are between two neighbours by date. */
	private readonly stride: number;

	/** @param rowAt gives the row at a position, oldest first */
	constructor(
		readonly total: number,
		readonly rowAt: (position: number) => Row,
		private readonly order: SandboxOptions['order'],
	) {
		this.stride = strideOf(total);
	}

	/** The row at a position in the list's own order, 0 to total − 1. */
	at(position: number): Row {
		if (this.order === 'shuffled') return this.rowAt((position * this.stride) % this.total);
		return this.rowAt(this.order === 'newestFirst' ? this.total - 1 - position : position);
	}

	/** The rows of one page (1-based); empty past the end. */
	page(page: number, limit: number): Row[] {
		const start = (page - 1) * limit;
		const length = Math.max(0, Math.min(limit, this.total - start));
		return Array.from({ length }, (_, index) => this.at(start + index));
	}
}

/** A number without a common divisor with the total, so that its multiples reach every position once. */
function strideOf(total: number): number {
	const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
	let stride = Math.max(1, Math.round(total * 0.618));
	while (divisor(total, stride) > 1) stride++;
	return stride;
}

type Inserted = Omit<Row, 'array' | 'user'> & { processedDate: number; userIndex: number };

/** First index of inserted rows, so that their IDs never equal generated ones. */
const firstInserted = 0x8000_0000;
const cachedViews = 256;

/** An organization's users, teams and three arrays of rows, computed on demand. */
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
	private readonly order: SandboxOptions['order'];
	/** Tracker IDs by name, the same in every conversation (D1 § Tracker). */
	readonly trackerIds: Record<string, string>;
	private readonly recorders: User[];
	private readonly timelines: Record<ArrayName, Timeline>;
	/** By index. */
	private readonly inserted = new Map<number, Inserted>();
	private readonly removed = new Set<number>();
	private nextInserted = firstInserted;
	private readonly views = new Map<string, View>();
	/** Export fields that a linked appointment overrides. */
	linkedFields: (conversationId: string) => Record<string, unknown> | undefined = () => undefined;

	constructor(seed: number, size: SandboxOptions, staff: Staff) {
		this.seed = hash(seed, 29);
		this.id = idOf(this.seed, 'organization', 0);
		this.trackerIds = Object.fromEntries(
			trackers.map((name, index) => [name, idOf(this.seed, 'tracker', index)]),
		);
		this.teams = makeTeams(this.seed, size.teams);
		this.users = makeUsers(this.seed, size.users, this.teams, staff);
		this.unassigned = this.users[size.users];
		this.named = this.users.filter((user) => user.name !== null && !user.isHidden);
		this.recorders = this.users.filter((user) => user.records);
		this.firstMoment = Date.parse(size.from);
		this.lastMoment = Date.parse(size.to);
		this.order = size.order;
		const timeline = (array: ArrayName, salt: number) =>
			new Timeline(hash(this.seed, salt), size[array], this.firstMoment, this.lastMoment);
		this.timelines = {
			conversations: timeline('conversations', 1),
			awaitingUpload: timeline('awaitingUpload', 2),
			errored: timeline('errored', 3),
		};
	}

	view(array: ArrayName, query: Query): View {
		const isEverybody = query.users.length === this.users.length;
		const who = isEverybody ? '*' : query.users.map((user) => user.index).join();
		const key = [array, query.by, query.from, query.to, who].join(' ');
		const known = this.views.get(key);
		if (known) return known;
		if (this.views.size >= cachedViews) this.views.clear();
		const view = this.select(array, query, isEverybody);
		this.views.set(key, view);
		return view;
	}

	everything(): View {
		return this.view('conversations', { by: 'date', from: -8e15, to: 8e15, users: this.users });
	}

	/** The conversation at a position, oldest first. */
	conversationAt(position: number): Row {
		return this.everything().rowAt(position);
	}

	/** IDs of conversations from a position on, oldest first. @throws Problem when there are too few */
	conversationIds(position: number, count: number): string[] {
		const { total } = this.everything();
		if (position + count > total) {
			throw new Problem(`There are only ${total} conversations, not ${position + count}.`);
		}
		return Array.from({ length: count }, (_, index) =>
			this.conversationIdOf(this.conversationAt(position + index)),
		);
	}

	/** @throws Problem 404 when no conversation has this ID */
	conversation(conversationId: string): Row {
		const row = this.findConversation(conversationId);
		if (!row) throw new Problem(`No conversation has the ID "${conversationId}".`, 404);
		return row;
	}

	/** Undefined when no conversation has this ID or it was removed. */
	findConversation(conversationId: string): Row | undefined {
		const index = indexOfId(this.seed, 'conversations', conversationId);
		if (index === undefined || this.removed.has(index)) return undefined;
		const exists = this.inserted.has(index) || index < this.timelines.conversations.count;
		return exists ? this.rowAt('conversations', index) : undefined;
	}

	/** Adds a conversation. Times are epoch milliseconds; by default, recorders take turns. */
	insertConversation(
		date: number,
		processedDate: number,
		user = this.recorders[this.inserted.size % this.recorders.length],
		fields?: Record<string, unknown>,
	): Row {
		const index = this.nextInserted++;
		this.inserted.set(index, { index, date, processedDate, userIndex: user.index, fields });
		this.views.clear();
		return this.rowAt('conversations', index);
	}

	/** Removes an existing conversation. */
	removeConversation(conversationId: string): void {
		const index = indexOfId(this.seed, 'conversations', conversationId);
		if (index !== undefined && !this.inserted.delete(index)) this.removed.add(index);
		this.views.clear();
	}

	conversationIdOf(row: Row): string {
		return idOf(this.seed, 'conversations', row.index);
	}

	/** A block of rows has one row per recorder; this rotates the recorders within a block. */
	private shiftOf(block: number): number {
		return hash(this.seed, 17, block) % this.recorders.length;
	}

	private rowAt(array: ArrayName, index: number): Row {
		const inserted = array === 'conversations' ? this.inserted.get(index) : undefined;
		if (inserted) {
			const { userIndex, ...row } = inserted;
			return { array, ...row, user: this.users[userIndex] ?? this.unassigned };
		}
		const timeline = this.timelines[array];
		const shift = this.shiftOf(Math.floor(index / this.recorders.length));
		const user = this.recorders[(index + shift) % this.recorders.length];
		const unprocessed = array === 'awaitingUpload' || (array === 'errored' && user.errorsStayUnprocessed);
		const processedDate = unprocessed ? null : timeline.processedDateAt(index);
		return { array, index, date: timeline.dateAt(index), processedDate, user };
	}

	private select(array: ArrayName, { by, from, to, users }: Query, isEverybody: boolean): View {
		const timeline = this.timelines[array];
		const low = timeline.firstRow(by, from);
		const high = Math.max(low, timeline.firstRow(by, to + 1));
		const isChanged = array === 'conversations' && this.inserted.size + this.removed.size > 0;
		const view = (total: number, indexAt: (position: number) => number) =>
			new View(total, (position) => this.rowAt(array, indexAt(position)), this.order);
		const skipsErrors = array === 'errored' && by === 'processedDate';
		if (isEverybody && !isChanged && !skipsErrors) return view(high - low, (position) => low + position);

		const wanted = new Set(skipsErrors ? users.filter((user) => !user.errorsStayUnprocessed) : users);
		const added = (isChanged ? [...this.inserted.values()] : [])
			.filter((row) => wanted.has(this.users[row.userIndex]) && row[by] >= from && row[by] <= to)
			.sort((a, b) => a[by] - b[by] || a.index - b.index);
		const indexes: number[] = [];
		let next = 0;
		for (const index of this.generated(wanted, low, high)) {
			const time = next < added.length ? timeline[`${by}At`](index) : 0;
			while (next < added.length && added[next][by] < time) indexes.push(added[next++].index);
			if (!isChanged || !this.removed.has(index)) indexes.push(index);
		}
		for (const row of added.slice(next)) indexes.push(row.index);
		return view(indexes.length, (position) => indexes[position]);
	}

	/** Indexes of some users' generated rows, from `low` up to, but not including, `high`. */
	private *generated(users: ReadonlySet<User>, low: number, high: number): Generator<number> {
		const size = this.recorders.length;
		const numbers = this.recorders.flatMap((user, number) => (users.has(user) ? [number] : []));
		for (let block = Math.floor(low / size); block * size < high; block++) {
			const shift = this.shiftOf(block);
			const inBlock = numbers.map((number) => block * size + ((number - shift + size) % size));
			for (const index of inBlock.sort((a, b) => a - b)) if (index >= low && index < high) yield index;
		}
	}
}
