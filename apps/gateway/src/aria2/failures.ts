import { downloadFailures } from '@tongtu/contract';
import type { Failure } from '../http/send-problem.ts';
import { type TargetFailure, targetFailureOf } from '../http/target-failures.ts';
import { DownloadError } from '../errors/download-error.ts';
import { shown } from './rpc/results.ts';

/** How an expected failure is reported; undefined for bugs. */
export function failureOf(error: unknown): TargetFailure | undefined {
  return error instanceof DownloadError ? downloadFailure(error) : targetFailureOf(error);
}

/** With what aria2 says, where our own words do not say why. */
export function downloadFailure({ code, said }: DownloadError): Failure {
  const { status, zh, en } = downloadFailures[code];
  const reason = code === 'refused' ? shown(said) : '';
  if (reason === '') return { code: `downloads.${code}`, status, zh, en };
  return { code: `downloads.${code}`, status, zh: `${zh}：${reason}`, en: `${en} It says: ${reason}` };
}
