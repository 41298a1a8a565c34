export { insertAuditEntry, type AuditActor } from './audit-store.ts';
