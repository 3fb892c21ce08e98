import type { Resource } from '../../shared/operation';
import { conversation } from './conversation';

/** The data map: what stands here is what the node offers, in this order. */
export const resources: Resource[] = [conversation];
