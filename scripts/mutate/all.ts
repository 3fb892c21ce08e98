import type { Mutation } from './mutation';
import { crmMutations } from './mutationsCrm';
import { exportMutations } from './mutationsExport';
import { webhookMutations } from './mutationsWebhook';

/** Every mutation, in the order in which they are tried. */
export const allMutations: readonly Mutation[] = [...exportMutations, ...webhookMutations, ...crmMutations];
