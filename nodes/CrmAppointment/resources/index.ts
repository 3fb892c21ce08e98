import type { Resource } from '../../shared/operation';
import { appointment } from './appointment';

/** The data map: what stands here is what the node offers. */
export const resources: Resource[] = [appointment];
