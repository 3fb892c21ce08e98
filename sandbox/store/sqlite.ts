import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { type Collection, MapCollection, type Store } from './store';

interface StoredItem {
	id: string;
	json: string;
}

/**
 * Keeps every collection in one SQLite file in the data folder. Each change is written at once, so that a
 * killed sandbox loses nothing that it answered for.
 */
export class SqliteStore implements Store {
	private readonly database: Database.Database;
	private readonly collections = new Map<string, Collection<unknown>>();

	/** @throws Error in one sentence when the folder cannot be used. */
	constructor(folder: string) {
		try {
			mkdirSync(folder, { recursive: true, mode: 0o700 });
			const file = join(folder, 'sandbox.sqlite');
			// The file holds signing secrets: nobody else on the machine may read it.
			closeSync(openSync(file, 'a', 0o600));
			this.database = new Database(file);
			this.database.exec(`
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
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			throw new Error(`The data folder "${folder}" cannot be used: ${reason}`, { cause: error });
		}
	}

	collection<Item>(name: string): Collection<Item> {
		const collection = this.collections.get(name) ?? this.open<Item>(name);
		this.collections.set(name, collection);
		// The name decides the type of the items; one module owns each name.
		return collection as Collection<Item>;
	}

	close(): void {
		this.database.close();
	}

	private open<Item>(name: string): Collection<Item> {
		const stored = this.database
			.prepare('SELECT id, json FROM item WHERE collection = ? ORDER BY sequence')
			.all(name) as StoredItem[];
		const write = this.database.prepare(
			`INSERT INTO item (collection, id, json) VALUES (?, ?, ?)
			ON CONFLICT (collection, id) DO UPDATE SET json = excluded.json`,
		);
		const erase = this.database.prepare('DELETE FROM item WHERE collection = ? AND id = ?');
		const entries = stored.map(({ id, json }): [string, Item] => [id, JSON.parse(json) as Item]);
		return new MapCollection<Item>(entries, (id, item) => {
			if (item === undefined) erase.run(name, id);
			else write.run(name, id, JSON.stringify(item));
		});
	}
}
