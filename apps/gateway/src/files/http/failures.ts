import { fileFailures } from '@tongtu/contract';
import type { Failure } from '../../http/send-problem.ts';
import { type TargetFailure, targetFailureOf } from '../../http/target-failures.ts';
import { FileError } from '../file-system.ts';

/** How an expected failure is reported; undefined for bugs. */
export function failureOf(error: unknown): TargetFailure | undefined {
  return error instanceof FileError ? fileFailure(error) : targetFailureOf(error);
}

export function fileFailure({ code }: FileError): Failure {
  return { code: `files.${code}`, ...fileFailures[code] };
}
