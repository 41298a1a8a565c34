export { createBackoff, type Backoff } from './backoff.ts';
export { type HostField, parseHostField } from './host-field.ts';
export { must } from './must.ts';
export { canonicalAddress, limitGroupOf, limitSiteOf, withoutZone } from './network-address.ts';
export { preferYoungCollections } from './prefer-young-collections.ts';
export { isCredentialAddress, isPrivateAddress } from './private-address.ts';
export { unlessAborted } from './unless-aborted.ts';
