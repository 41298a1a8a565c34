// What the tests of the whole product take from here.
export { FakeDnsServer } from './fake-dns-server.ts';
export { hasTestAuthority, startTestAuthority, skipReason, type TestAuthority } from './test-authority.ts';
