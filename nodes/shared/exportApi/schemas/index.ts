/** What the service sends: one schema per object of the API documentation. */
export * from './export';
export * from './webhook';
