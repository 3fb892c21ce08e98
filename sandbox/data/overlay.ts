import type { Collection, Store } from '../store';
import type { User } from './people';
import type { Row } from './rows';

interface StoredRow {
	index: number;
	date: number;
	processedDate: number;
	userIndex: number;
	fields?: Record<string, unknown>;
}

/** Inserted rows have indexes from here on, so that their IDs never meet a generated one. */
export const firstInsertedIndex = 0x8000_0000;

/** Conversations put in on top of the generated ones, and generated ones taken out. */
export class Overlay {
	private readonly rows = new Map<number, Row>();
	private gone: number[];
	private readonly storedRows: Collection<StoredRow>;
	private readonly storedGone: Collection<number>;
	private nextIndex = firstInsertedIndex;

	/** @param userAt finds the user that a stored row belongs to. */
	constructor(store: Store, name: string, userAt: (index: number) => User) {
		this.storedRows = store.collection(`insertedConversations ${name}`);
		this.storedGone = store.collection(`removedConversations ${name}`);
		this.gone = this.storedGone.list().sort((a, b) => a - b);
		for (const { userIndex, ...row } of this.storedRows.list()) {
			this.rows.set(row.index, { array: 'conversations', ...row, user: userAt(userIndex) });
			this.nextIndex = Math.max(this.nextIndex, row.index + 1);
		}
	}

	/** Indexes of generated rows that were taken out, ascending. */
	get removed(): readonly number[] {
		return this.gone;
	}

	get inserted(): readonly Row[] {
		return [...this.rows.values()];
	}

	find(index: number): Row | undefined {
		return this.rows.get(index);
	}

	insert(row: { date: number; processedDate: number; user: User; fields?: Record<string, unknown> }): Row {
		const index = this.nextIndex++;
		const { user, ...rest } = row;
		this.storedRows.put(String(index), { index, ...rest, userIndex: user.index });
		const inserted: Row = { array: 'conversations', index, ...row };
		this.rows.set(index, inserted);
		return inserted;
	}

	remove({ index }: Row): void {
		if (index >= firstInsertedIndex) {
			this.rows.delete(index);
			this.storedRows.delete(String(index));
		} else {
			this.gone = [...this.gone, index].sort((a, b) => a - b);
			this.storedGone.put(String(index), index);
		}
	}
}
