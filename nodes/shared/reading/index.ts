/** The only reader of POST /export/conversations: exact although the service changes, whatever the length. */
export * from './exportPages';
export * from './listReader';
export * from './page';
export * from './rowFields';
export * from './stretches';
