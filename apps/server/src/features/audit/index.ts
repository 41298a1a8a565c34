export { recordAuditEntry, type AuditActor } from './audit-store.ts';
export { registerAuditRoutes } from './audit-routes.ts';
