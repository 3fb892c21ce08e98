export { progress, startTestN8n, TARBALL, type TestN8n } from '../../harness/n8n/fresh';

/** Time limit of `beforeAll` on a busy machine, without the installation of n8n (see `globalSetup`). */
export const N8N_START_LIMIT_MS = 10 * 60_000;
