/** How benchmarks write figures. */
export { table } from '../scripts/markdown';
export const seconds = (value: number): string => `${value.toFixed(2)} s`;
export const ratio = (value: number): string => value.toFixed(2);
export const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;
export const megabytes = (value: number): string => `${Math.round(value)} MB`;
/** A whole number with commas, e.g. `10,000`. */
export const count = (value: number): string => value.toLocaleString('en');
