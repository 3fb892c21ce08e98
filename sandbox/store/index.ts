import { SqliteStore } from './sqlite';
import { MemoryStore, type Store } from './store';

export type { Collection, Store } from './store';

/** A store in the data folder, or in memory when there is none. */
export function openStore(dataFolder: string | undefined): Store {
	return dataFolder === undefined ? new MemoryStore() : new SqliteStore(dataFolder);
}
