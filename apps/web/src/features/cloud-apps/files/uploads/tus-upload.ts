import type { LoginProblem } from '@tongtu/contract';
import { DetailedError, Upload } from 'tus-js-client';
import { uploadsText } from '../../../../text/cloud-apps/file-uploads.ts';
import type { FilesClient } from '../files-client.ts';
import type { UploadFailure, UploadTransport } from './upload-queue.ts';

/** How long to wait before each new try after a cut. Then the user decides. */
const retryDelays = [500, 1_000, 3_000, 5_000, 10_000, 15_000];

/** Sends files by tus 1.0. The address of an upload ends with an id that is also valid in later sessions. */
export function tusUploads(client: FilesClient): UploadTransport {
  const endpoint = client.url('uploads/');
  const headers = { 'accept-language': 'zh-CN' };
  return {
    start({ path, file, overwrite, resumeId }, events) {
      const upload = new Upload(file, {
        endpoint,
        headers,
        retryDelays,
        uploadUrl: resumeId === undefined ? null : `${endpoint}${resumeId}`,
        metadata: { path, key: `${file.size}-${file.lastModified}`, overwrite: overwrite ? '1' : '0' },
        // The session's address is useless to later pages; the gateway finds what was sent by the metadata.
        storeFingerprintForResuming: false,
        onShouldRetry: (error) => problemOf(error) === undefined && isWorthRetrying(error),
        onUploadUrlAvailable: () => events.onBegun(upload.url?.slice(upload.url.lastIndexOf('/') + 1) ?? ''),
        onProgress: (sentBytes) => events.onProgress(sentBytes),
        onSuccess: () => events.onDone(),
        onError: (error) => events.onFailed(failureOf(error)),
      });
      upload.start();
      return () => void upload.abort().catch(() => undefined); // it has ended already
    },
    // What cannot be deleted now is left beside the file, with a name that ends with .part.
    discard: (resumeId) =>
      void Upload.terminate(`${endpoint}${resumeId}`, { endpoint, headers, retryDelays }).catch(() => undefined),
  };
}

/** 409: the gateway already has more of the file than was known here. 423: it still writes what came before the cut. */
function isWorthRetrying({ originalResponse }: DetailedError): boolean {
  const status = originalResponse?.getStatus() ?? 0;
  return status < 400 || status >= 500 || status === 409 || status === 423;
}

function failureOf(error: Error | DetailedError): UploadFailure {
  const problem = error instanceof DetailedError ? problemOf(error) : undefined;
  if (problem?.code === 'files.exists') return { type: 'exists', text: uploadsText.exists };
  if (problem !== undefined) return { type: 'refused', text: problem.detail };
  return { type: 'cut', text: uploadsText.cut };
}

/** What the gateway or the target has answered; undefined if the connection was cut or the protocol goes on. */
function problemOf(error: DetailedError): LoginProblem | undefined {
  try {
    const body: unknown = JSON.parse(error.originalResponse?.getBody() ?? '');
    const isProblem = typeof body === 'object' && body !== null && 'code' in body && 'detail' in body;
    const problem = isProblem ? (body as LoginProblem) : undefined; // of the gateway, by the contract
    // These pass when the session is there again.
    return problem?.code === 'cloud-app.session-not-found' || problem?.code.startsWith('target.') === true
      ? undefined
      : problem;
  } catch {
    return undefined; // no body
  }
}
