import { isIP } from 'node:net';

export type PlannedCertificate = { subject: string; names: string[]; challenge: 'http-01' | 'dns-01' };

/**
 * Plans the certificates of the console and of the mappings below the suffix. With DNS-01 one certificate has the
 * wildcard of the suffix and those console names below the suffix that the wildcard does not cover. Every other name gets
 * its own certificate by HTTP-01, since the DNS provider may not host its zone.
 */
export function planConsoleCertificates(input: {
  suffix: string;
  consoleNames: string[];
  hasDns: boolean;
}): PlannedCertificate[] {
  const { suffix, hasDns } = input;
  const names = [...new Set(input.consoleNames)].filter(isPublicName).sort();
  if (!hasDns || !isPublicName(suffix)) return names.map(byHttp);
  const isBelow = (name: string) => name === suffix || name.endsWith(`.${suffix}`);
  const deeper = names.filter((name) => isBelow(name) && name.slice(0, -suffix.length - 1).includes('.'));
  const wildcard = `*.${suffix}`;
  return [
    { subject: wildcard, names: [wildcard, suffix, ...deeper], challenge: 'dns-01' },
    ...names.filter((name) => !isBelow(name)).map(byHttp),
  ];
}

/** Whether a public authority can issue a certificate for the name. */
export function isPublicName(name: string): boolean {
  return name.includes('.') && isIP(name) === 0 && !name.endsWith('.localhost');
}

function byHttp(name: string): PlannedCertificate {
  return { subject: name, names: [name], challenge: 'http-01' };
}
