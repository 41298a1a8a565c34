export { assertRoomForDomain } from './assert-room-for-domain.ts';
export { checkDomainNow } from './check-domain.ts';
export { type DomainStatus, listDomainStatuses, replaceDomainCheck } from './domain-check-store.ts';
export { keepCheckingDomains } from './keep-checking-domains.ts';
