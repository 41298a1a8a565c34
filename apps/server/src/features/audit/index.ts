export { insertAuditEntry, type AuditActor, type AuditFact } from './audit-store.ts';
export { registerAuditRoutes } from './audit-routes.ts';
