export { PROVIDER_NAMES, yuanOf } from './account-names.ts';
export { checkLedger, ledgerJob } from './check-ledger.ts';
export { registerLedgerRoutes } from './ledger-routes.ts';
export { enterInLedger, moveInLedger } from './ledger-store.ts';
