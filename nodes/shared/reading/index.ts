/** The only reader of lists that come in pages: exact for any length, even while the service's data changes. */
export * from './readList';
export { Reading, type ReadOptions } from './reading';
export type { Gap, Report } from './report';
export { Walk, type RequestLimits } from './walk';
export type { Direction } from './cuts';
