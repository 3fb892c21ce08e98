import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { messageOf } from './problem';

/** Called with each change; `item` is undefined for a deletion. */
type OnChange<Item> = (id: string, item: Item | undefined) => void;

/** Maximum size of a log, more than a long load test needs. */
const maxItems = 20_000;

/** Plain JSON items by ID, in insertion order. */
export class Collection<Item> extends Map<string, Item> {
	constructor(
		entries: Iterable<[string, Item]> = [],
		private readonly onChange?: OnChange<Item>,
	) {
		super(entries);
	}

	/** Adds the item, or replaces the one with the same ID in place. */
	put(id: string, item: Item): void {
		this.set(id, item);
		this.onChange?.(id, item);
	}

	/** Returns false when no item has this ID. */
	override delete(id: string): boolean {
		const existed = super.delete(id);
		if (existed) this.onChange?.(id, undefined);
		return existed;
	}

	/** Bounds memory: at the limit, drops the oldest items that may go, up to a tenth of the limit. */
	makeRoom(mayGo: (item: Item) => boolean = () => true): void {
		if (this.size < maxItems) return;
		const old = [...this].filter(([, item]) => mayGo(item)).slice(0, maxItems / 10);
		for (const [id] of old) this.delete(id);
	}

	/** Every item, oldest first. */
	list(): Item[] {
		return [...this.values()];
	}
}

/**
 * Keeps the sandbox's state in memory or in a SQLite file. Each change is written immediately, so that a
 * killed sandbox loses nothing that it has confirmed.
 */
export class Store {
	private readonly collections = new Map<string, object>();
	private readonly database: Database.Database | undefined;

	/** @throws Error when the folder cannot be used. */
	constructor(dataFolder: string | undefined) {
		this.database = dataFolder === undefined ? undefined : open(dataFolder);
	}

	/** Always returns the same collection for a name. */
	collection<Item>(name: string): Collection<Item> {
		// Each name is used by one module, which knows the type of its items.
		const collection = (this.collections.get(name) as Collection<Item> | undefined) ?? this.load<Item>(name);
		this.collections.set(name, collection);
		return collection;
	}

	close(): void {
		this.database?.close();
	}

	private load<Item>(name: string): Collection<Item> {
		if (!this.database) return new Collection<Item>();
		const stored = this.database
			.prepare('SELECT id, json FROM item WHERE collection = ? ORDER BY sequence')
			.all(name) as Array<{ id: string; json: string }>;
		const write = this.database.prepare(
			`INSERT INTO item (collection, id, json) VALUES (?, ?, ?)
			ON CONFLICT (collection, id) DO UPDATE SET json = excluded.json`,
		);
		const erase = this.database.prepare('DELETE FROM item WHERE collection = ? AND id = ?');
		const entries = stored.map(({ id, json }): [string, Item] => [id, JSON.parse(json) as Item]);
		return new Collection<Item>(entries, (id, item) => {
			if (item === undefined) erase.run(name, id);
			else write.run(name, id, JSON.stringify(item));
		});
	}
}

function open(folder: string): Database.Database {
	try {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		const file = join(folder, 'sandbox.sqlite');
		// The file contains signing secrets, so no other user of the machine may read it.
		closeSync(openSync(file, 'a', 0o600));
		const database = new Database(file);
		database.exec(`
			PRAGMA journal_mode = WAL;
			PRAGMA synchronous = NORMAL;
			CREATE TABLE IF NOT EXISTS item (
				sequence INTEGER PRIMARY KEY AUTOINCREMENT,
				collection TEXT NOT NULL,
				id TEXT NOT NULL,
				json TEXT NOT NULL,
				UNIQUE (collection, id)
			);
		`);
		return database;
	} catch (error) {
		throw new Error(`The data folder "${folder}" cannot be used: ${messageOf(error)}`, { cause: error });
	}
}
