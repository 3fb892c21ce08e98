/** Requests to the service: authentication, retry, pauses and error texts. Knows no node's parameters. */
export * from './credentialFields';
export * from './errors';
export * from './cancel';
export * from './pace';
export * from './jsonAnswer';
export * from './retry';
export * from './retryPolicy';
export * from './serviceRequest';
