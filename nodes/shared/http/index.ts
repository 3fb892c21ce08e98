/** Requests to the service: authentication, retries, limiter and messages. Knows no node's parameters. */
export * from './address';
export * from './response';
export * from './policy';
export * from './credential';
export * from './limiter';
export * from './requestRun';
export * from './request';
