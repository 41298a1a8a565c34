export { createBackoff, type Backoff } from './backoff.ts';
export { must } from './must.ts';
