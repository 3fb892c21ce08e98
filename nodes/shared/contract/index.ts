/** The contract: one schema per object of the API documentation; every TypeScript type is inferred from its schema. */
export * from './appointment';
export * from './export';
export * from './webhook';
