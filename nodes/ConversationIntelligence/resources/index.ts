import type { Resource } from '../../shared/operation';
import { conversation } from './conversation';
import { recording } from './recording';
import { team } from './team';
import { user } from './user';

/** The data map: what stands here is what the node offers, in this order. */
export const resources: Resource[] = [conversation, recording, team, user];
