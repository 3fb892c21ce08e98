import type { Mutation } from './mutation';
import { crmMutations } from './mutationsCrm';
import { exportMutations } from './mutationsExport';
import { webhookMutations } from './mutationsWebhook';

/** All mutations, in the order of the run. */
export const allMutations: readonly Mutation[] = [...exportMutations, ...webhookMutations, ...crmMutations];
