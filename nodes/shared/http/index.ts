/** Requests to the service: authentication, retries, pace and messages. Knows no node's parameters. */
export * from './response';
export * from './cancel';
export * from './credentialFields';
export * from './credentialTest';
export * from './errors';
export * from './failure';
export * from './limiter';
export * from './retry';
export * from './request';
