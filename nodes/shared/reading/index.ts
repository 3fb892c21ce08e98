/** The only reader of POST /export/conversations: exact for any length, even while the service's data changes. */
export type { Reading } from './reading';
export * from './readList';
export { Report, type Gap } from './report';
export { Requests } from './requests';
export { Walk, type RequestLimits } from './walk';
export type { Direction } from './cuts';
