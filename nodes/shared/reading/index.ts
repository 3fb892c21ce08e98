/** The only reader of POST /export/conversations: exact for any length, even while the service's data changes. */
export * from './exportPages';
export * from './listReader';
export * from './orderedReader';
export * from './page';
export * from './rowFields';
export * from './slices';
