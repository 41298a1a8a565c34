export type { AcmeConfig } from './acme-config.ts';
export { keepCertificates } from './keep-certificates.ts';
export { isPublicName, planConsoleCertificates } from './plan-console-certificates.ts';
export { readEdge } from './read-edge.ts';
export { type CertificateStanding, listStandings } from './standing-store.ts';
