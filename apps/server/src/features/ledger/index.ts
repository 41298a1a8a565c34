export { enterInLedger, moveInLedger, type LedgerAccountName } from './ledger-store.ts';
