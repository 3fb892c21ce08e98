import type { Resource } from '../../../shared/node/operation';
import { remove } from './delete.operation';
import { match } from './match.operation';
import { sync } from './sync.operation';
import { update } from './update.operation';
import { upsert } from './upsert.operation';

/** What the node offers, in this order. */
export const appointment: Resource = {
	option: { name: 'Appointment', value: 'appointment' },
	operations: [upsert, update, sync, remove, match],
};
