import type { IDataObject } from 'n8n-workflow';
import type { Pace } from '../../shared/transport';

/** An item that was read and checked, but not sent yet. */
export interface PreparedItem {
	/** What the item writes: items with the same key are sent one after another, in input order. */
	key: string;
	/** Sends it and returns the output item's JSON. */
	send(pace: Pace): Promise<IDataObject>;
}

/** One run of an operation over all items. */
export interface AppointmentRun {
	/** Reads and checks one item; throws UserError when it cannot be sent, naming the field. */
	prepare(itemIndex: number): PreparedItem;
	/** Adds hints about the items that were prepared. */
	addHints?(): void;
}
