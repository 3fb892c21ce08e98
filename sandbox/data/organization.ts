import { idOf, indexOfId } from './ids';
import { MemoryStore, type Store } from '../store/store';
import { firstInsertedIndex, Overlay } from './overlay';
import { makeTeams, makeUnassigned, makeUsers, type Staff, staffs, type Team, type User } from './people';
import { hash } from './random';
import { Rotation } from './rotation';
import type { ArrayName, Row } from './rows';
import { Timeline } from './timeline';
import { type Query, type Source, View } from './view';

export interface OrganizationSize {
	conversations: number;
	awaitingUpload: number;
	errored: number;
	users: number;
	teams: number;
	from: string;
	to: string;
	order: 'oldestFirst' | 'newestFirst';
}

const cachedViews = 64;

/** One organization: its people and its three arrays of rows, computed when they are asked for. */
export class Organization {
	readonly seed: number;
	readonly id: string;
	readonly teams: Team[];
	readonly users: User[];
	/** The system-managed account of calls imported by location (D2 § Attendee rules, 6). */
	readonly unassigned: User;
	/** Users who have a name: only they show up as viewers. */
	readonly named: User[];
	private readonly recorders: User[];
	private readonly rotation: Rotation;
	private readonly timelines: Record<ArrayName, Timeline>;
	private readonly overlay: Overlay;
	private readonly views = new Map<string, View>();
	private readonly trackerIds = new Map<string, string>();
	/** What a linked appointment changes in an exported conversation. */
	linkedFields: (conversationId: string) => Record<string, unknown> | undefined = () => undefined;

	constructor(
		seed: number,
		readonly name: string,
		private readonly size: OrganizationSize,
		store: Store = new MemoryStore(),
		staff: Staff = staffs.own,
	) {
		this.seed = hash(seed, 29);
		this.id = idOf(this.seed, 'organization', 0);
		this.teams = makeTeams(this.seed, size.teams);
		const people = makeUsers(this.seed, size.users, this.teams, staff);
		this.unassigned = makeUnassigned(this.seed, size.users);
		this.users = [...people, this.unassigned];
		this.named = this.users.filter((user) => user.name !== null && !user.isHidden);
		this.recorders = this.users.filter((user) => user.recorder !== undefined);
		this.rotation = new Rotation(this.seed, this.recorders.length);
		const timeline = (array: ArrayName, salt: number) =>
			new Timeline(hash(this.seed, salt), size[array], Date.parse(size.from), Date.parse(size.to));
		this.timelines = {
			conversations: timeline('conversations', 1),
			awaitingUpload: timeline('awaitingUpload', 2),
			errored: timeline('errored', 3),
		};
		this.overlay = new Overlay(store, this.id, (index) => this.users[index] ?? this.unassigned);
	}

	/** Start of the generated data, epoch milliseconds. */
	get firstMoment(): number {
		return Date.parse(this.size.from);
	}

	/** End of the generated data, epoch milliseconds. */
	get lastMoment(): number {
		return Date.parse(this.size.to);
	}

	get newestFirst(): boolean {
		return this.size.order === 'newestFirst';
	}

	/** The rows of one array that a query selects. */
	view(array: ArrayName, query: Query): View {
		const everyone = query.users.length === this.users.length;
		const who = everyone ? '*' : query.users.map((user) => user.index).join(',');
		const key = `${array} ${query.by} ${query.from} ${query.to} ${who}`;
		let view = this.views.get(key);
		if (!view) {
			view = new View(this.source(array), query);
			const oldest = this.views.keys().next();
			if (this.views.size >= cachedViews && !oldest.done) this.views.delete(oldest.value);
			this.views.set(key, view);
		}
		return view;
	}

	/** The conversation with this ID, unless there is none or it was removed. */
	findConversation(conversationId: string): Row | undefined {
		const index = indexOfId(this.seed, 'conversation', conversationId);
		if (index === undefined) return undefined;
		if (index >= firstInsertedIndex) return this.overlay.find(index);
		if (index >= this.size.conversations || this.overlay.removed.includes(index)) return undefined;
		return this.rowAt('conversations', index);
	}

	/** Puts a conversation in. Times are epoch milliseconds; without a user one of the recorders is taken. */
	insertConversation(
		date: number,
		processedDate: number,
		user?: User,
		fields?: Record<string, unknown>,
	): Row {
		const recorder = user ?? this.recorders[this.overlay.inserted.length % this.recorders.length];
		const row = this.overlay.insert({ date, processedDate, user: recorder, fields });
		this.views.clear();
		return row;
	}

	/** Takes a conversation out; false when there is none with this ID. */
	removeConversation(conversationId: string): boolean {
		const row = this.findConversation(conversationId);
		if (!row) return false;
		this.overlay.remove(row);
		this.views.clear();
		return true;
	}

	conversationIdOf(row: Row): string {
		return idOf(this.seed, 'conversation', row.index);
	}

	/** Stable across conversations (D1 § Tracker). */
	trackerId(name: string): string {
		const known = this.trackerIds.get(name);
		if (known) return known;
		const id = idOf(this.seed, 'tracker', hash(...Buffer.from(name)));
		this.trackerIds.set(name, id);
		return id;
	}

	private rowAt(array: ArrayName, index: number): Row {
		const timeline = this.timelines[array];
		const user = this.recorders[this.rotation.recorderOf(index)];
		const unprocessed = array === 'awaitingUpload' || (array === 'errored' && user.errorsStayUnprocessed);
		const processedDate = unprocessed ? null : timeline.processedAt(index);
		return { array, index, date: timeline.dateAt(index), processedDate, user };
	}

	private source(array: ArrayName): Source {
		return {
			array,
			timeline: this.timelines[array],
			rotation: this.rotation,
			removed: array === 'conversations' ? this.overlay.removed : [],
			inserted: array === 'conversations' ? this.overlay.inserted : [],
			rowAt: (index) => this.rowAt(array, index),
			newestFirst: this.newestFirst,
		};
	}
}
