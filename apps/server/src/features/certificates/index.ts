export type { AcmeConfig } from './acme-config.ts';
export { isCertified, listOpenChallenges, listShownCertificates, type ShownCertificate } from './edge-store.ts';
export { type NameServers, openNameServers } from './dns/name-servers.ts';
export { startCertificateScheduler } from './start-certificate-scheduler.ts';
export { isPublicName, planConsoleCertificates } from './plan-console-certificates.ts';
export { type EdgeCertificateDeps, readEdgeCertificates } from './read-edge-certificates.ts';
export { type CertificateStatus, listCertificateStatuses } from './certificate-status-store.ts';
