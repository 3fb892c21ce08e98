/** What the service sends: one schema per object of the API documentation. */
export * from './conversations';
export * from './metrics';
export * from './webhook';
