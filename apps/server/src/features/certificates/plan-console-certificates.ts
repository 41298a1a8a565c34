import { isIP } from 'node:net';

export type PlannedCertificate = { subject: string; names: string[]; challenge: 'http-01' | 'dns-01' };

/**
 * What to order for the console and the mappings below the suffix. With DNS-01 one wildcard for the suffix, together
 * with the console's names below it that the wildcard does not cover; every other name gets a certificate of its own by
 * HTTP-01, since it may lie in a zone that the DNS provider does not hold.
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

/** Whether an authority could give a certificate for the name at all. */
export function isPublicName(name: string): boolean {
  return name.includes('.') && isIP(name) === 0 && !name.endsWith('.localhost');
}

function byHttp(name: string): PlannedCertificate {
  return { subject: name, names: [name], challenge: 'http-01' };
}
