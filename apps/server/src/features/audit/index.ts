export { insertAuditEntry, type AuditActor, type AuditFact } from './audit-store.ts';
