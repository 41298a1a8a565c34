export { createBackoff, type Backoff } from './backoff.ts';
export { must } from './must.ts';
export { preferYoungCollections } from './prefer-young-collections.ts';
