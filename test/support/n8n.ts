export { progress, startTestN8n, TARBALL, type TestN8n } from '../../playground/n8n/fresh';

/** How long `beforeAll` may take on a busy machine; the installation of n8n is done before, by `globalSetup`. */
export const N8N_START_LIMIT_MS = 10 * 60_000;
