// What the end-to-end tests import.
export { FakeDnsServer } from '../../../testing/fake-dns-server.ts';
export { hasTestAuthority, startTestAuthority, skipReason, type TestAuthority } from './test-authority.ts';
