/** Requests to the service: authentication, retry, pauses and error texts. Knows no node's parameters. */
export * from './conversationRequest';
export * from './credentialFields';
export * from './errors';
export * from './gate';
export * from './jsonAnswer';
export * from './retry';
export * from './rowsAnswer';
export * from './serviceRequest';
