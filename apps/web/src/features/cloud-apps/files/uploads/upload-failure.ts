import type { LoginProblem } from '@tongtu/contract';
import { uploadsText } from '../../../../text/cloud-apps/file-uploads.ts';
import type { UploadFailure } from './upload-transport.ts';

const cutStatuses = new Set([502, 503, 504]);

/** Of an answer of the gateway, or of the relay before it, to an upload. */
export function failureOfAnswer(status: number, body: string): UploadFailure {
  const problem = problemIn(body);
  if (problem?.code === 'files.exists') return { type: 'exists', text: uploadsText.exists };
  if (problem === undefined || problem.code.startsWith('target.')) return { ...lost, isAnswered: true };
  if (endsWithSession(problem) || cutStatuses.has(status)) return lost;
  return { type: 'refused', text: problem.detail };
}

/** Nothing was answered. */
export const lost: UploadFailure = { type: 'cut', text: uploadsText.cut };

export const unreadable: UploadFailure = { type: 'refused', text: uploadsText.unreadableFile };

/** The file was changed or deleted since it was chosen, which looks like a lost connection. */
export async function isUnreadable(file: File): Promise<boolean> {
  return await file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => false,
      () => true,
    );
}

/** These pass when the session and its login are there again. */
function endsWithSession({ code }: LoginProblem): boolean {
  return code === 'cloud-app.session-not-found' || code.startsWith('login.');
}

/** Undefined for the answer of a proxy. */
function problemIn(body: string): LoginProblem | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    const isProblem = typeof parsed === 'object' && parsed !== null && 'code' in parsed && 'detail' in parsed;
    return isProblem ? (parsed as LoginProblem) : undefined; // of the gateway, by the contract
  } catch {
    return undefined;
  }
}
