// What the tests of the whole product take from here.
export { DnsStandIn } from '../../../testing/dns-stand-in.ts';
export { hasTestAuthority, startTestAuthority, whyNot, type TestAuthority } from './test-authority.ts';
