export { createBackoff, type Backoff } from './backoff.ts';
export { type HostField, parseHostField } from './host-field.ts';
export { metadataServices } from './metadata-services.ts';
export { must } from './must.ts';
export { preferYoungCollections } from './prefer-young-collections.ts';
export { unlessAborted } from './unless-aborted.ts';
