/** A keyed list that keeps the order of insertion. Items are plain JSON. */
export interface Collection<Item> {
	get(id: string): Item | undefined;
	/** Adds the item, or replaces the one with this ID in its place. */
	put(id: string, item: Item): void;
	/** False when there was none. */
	delete(id: string): boolean;
	/** Every item, oldest first. */
	list(): Item[];
	readonly size: number;
}

/** Where the sandbox keeps its state: in memory, or in a data folder so that it survives a restart. */
export interface Store {
	/** The collection of this name; always the same one for a name. */
	collection<Item>(name: string): Collection<Item>;
	close(): void;
}

/** Called with each change, so that a store can write it down. `item` is undefined for a deletion. */
export type OnChange<Item> = (id: string, item: Item | undefined) => void;

/** What every store reads from: a map. A persistent store fills it at the start and is told of changes. */
export class MapCollection<Item> implements Collection<Item> {
	private readonly items: Map<string, Item>;

	constructor(
		entries: Iterable<[string, Item]> = [],
		private readonly onChange?: OnChange<Item>,
	) {
		this.items = new Map(entries);
	}

	get size(): number {
		return this.items.size;
	}

	get(id: string): Item | undefined {
		return this.items.get(id);
	}

	put(id: string, item: Item): void {
		this.items.set(id, item);
		this.onChange?.(id, item);
	}

	delete(id: string): boolean {
		const existed = this.items.delete(id);
		if (existed) this.onChange?.(id, undefined);
		return existed;
	}

	list(): Item[] {
		return [...this.items.values()];
	}
}

/** Forgets everything when the sandbox stops. */
export class MemoryStore implements Store {
	private readonly collections = new Map<string, Collection<unknown>>();

	collection<Item>(name: string): Collection<Item> {
		const collection = this.collections.get(name) ?? new MapCollection<Item>();
		this.collections.set(name, collection);
		// The name decides the type of the items; one module owns each name.
		return collection as Collection<Item>;
	}

	close(): void {
		this.collections.clear();
	}
}
