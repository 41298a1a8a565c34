export type { AcmeConfig } from './acme-config.ts';
export { CertificateKeeper } from './certificate-keeper.ts';
export { planConsoleCertificates } from './plan-console-certificates.ts';
export { readEdge } from './read-edge.ts';
export { type CertificateStanding, listStandings } from './standing-store.ts';
