import { isIP } from 'node:net';
import type { Logger } from 'pino';
import type { CertificateProblem, CertificatesOnFile } from './certificates-on-file.ts';
import type { StackConfig } from './config.ts';

type Config = Pick<StackConfig, 'publicUrl' | 'baseDomain' | 'trustedProxies' | 'acme'>;

/** A name that people open by https, without a good certificate. */
export type HttpsNameProblem = { name: string; hint: string } & CertificateProblem;

const EVERY_MS = 86_400_000;

/** Looks at the names of an https PUBLIC_URL whose certificates the operator provides. */
export function findHttpsNameProblems(config: Config, onFile: Pick<CertificatesOnFile, 'problemOf'>) {
  const { publicUrl, baseDomain, trustedProxies, acme } = config;
  // A proxy in front has certificates of its own.
  if (publicUrl === undefined || !publicUrl.startsWith('https:') || trustedProxies.length > 0) return [];
  const names: Array<{ name: string; hint: string }> = [];
  if (!acme?.ordersConsole)
    names.push({ name: new URL(publicUrl).hostname, hint: '请用 TLS_CERT_FILE 提供，或设置 ACME=on' });
  if (!(acme?.ordersConsole && acme.dns !== undefined))
    names.push({ name: `*.${baseDomain}`, hint: '请用 TLS_CERT_FILE 提供通配符证书，或设置 ACME=on 与 ACME_DNS' });
  return names
    .filter(({ name }) => isIP(name.replace(/^\[|\]$/g, '')) === 0 && !/^(.*\.)?localhost$/.test(name))
    .flatMap((named): HttpsNameProblem[] => {
      const problem = onFile.problemOf(named.name);
      return problem === undefined ? [] : [{ ...named, ...problem }];
    });
}

/** For the operator, at the start. */
export function describeHttpsNameProblem(problem: HttpsNameProblem): string {
  const what = `提醒：${problem.name} 的 HTTPS 证书`;
  switch (problem.type) {
    case 'missing':
      return `提醒：没有 ${problem.name} 的 HTTPS 证书，浏览器打开这样的地址时会警告。${problem.hint}`;
    case 'self-signed':
      return `${what}是自签名的，浏览器打开这样的地址时会警告`;
    case 'expired':
      return `${what}已于 ${dayOf(problem.atMs)} 过期，浏览器会拒绝打开，请更换`;
    case 'not-yet-valid':
      return `${what}从 ${dayOf(problem.atMs)} 起才有效，浏览器会拒绝打开。请检查证书和本机时间`;
    case 'ends-soon':
      return `${what}将于 ${dayOf(problem.atMs)} 过期，请更换`;
  }
}

/** Logs what is wrong, now and every day: certificates end while the service runs. */
export function logHttpsNameProblems(find: () => readonly HttpsNameProblem[], log: Logger): Disposable {
  const report = () => {
    for (const { name: host, type, ...when } of find()) {
      const at = 'atMs' in when ? { at: new Date(when.atMs) } : {};
      log.warn({ host, problem: type, ...at }, 'a name has no good certificate');
    }
  };
  report();
  const timer = setInterval(report, EVERY_MS).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}
