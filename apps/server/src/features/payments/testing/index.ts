export type { FakeBehaviour } from './fake-behaviour.ts';
export { loadFakeKeys, writeServerEnvironment } from './fake-key-folder.ts';
export type { FakeProvider } from './fake-provider.ts';
export { type FakePayments, type FakePaymentsOptions, startFakePayments } from './start-fake-payments.ts';
