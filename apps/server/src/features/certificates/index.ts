export type { AcmeConfig } from './acme-config.ts';
export { isCertified, listOpenChallenges, listShownCertificates, type ShownCertificate } from './edge-store.ts';
export { type NameServers, openNameServers } from './dns/name-servers.ts';
export { keepCertificates } from './keep-certificates.ts';
export { isPublicName, planConsoleCertificates } from './plan-console-certificates.ts';
export { type EdgeCertificateDeps, readEdgeCertificates } from './read-edge-certificates.ts';
export { type CertificateStanding, listStandings } from './standing-store.ts';
