import { DetailedError, Upload } from 'tus-js-client';
import { ApiError, errorCode, errorText } from '../../../../api/index.ts';
import type { FilesClient } from '../files-client.ts';
import { keyOf, sendSmall, SMALL_BYTES } from './send-small.ts';
import { failureOfAnswer, isUnreadable, lost, unreadable } from './upload-failure.ts';
import type { UploadEvents, UploadFailure, UploadJob, UploadTransport } from './upload-transport.ts';

/** How long to wait before each new try after a cut. Then the queue waits for the connection. */
const retryDelays = [500, 1_000, 3_000, 5_000, 10_000, 15_000];

/** Sends files by tus 1.0. The address of an upload ends with an id that is also valid in later sessions. */
export function gatewayUploads(client: FilesClient): UploadTransport {
  const to = { endpoint: client.url('uploads/'), headers: { 'accept-language': 'zh-CN' } };
  return {
    start: (job, events) =>
      job.size <= SMALL_BYTES && job.resumeId === undefined ? sendSmall(to, job, events) : sendLarge(to, job, events),
    async createFolder(path) {
      try {
        await client.createFolder(path);
      } catch (error) {
        // Its content is added to that of the one that is there.
        if (errorCode(error) !== 'files.exists') return failureOfCall(error);
      }
      return undefined;
    },
    // What cannot be deleted now is left beside the file, with a name that ends with .part.
    discard: (resumeId) =>
      void Upload.terminate(`${to.endpoint}${resumeId}`, { ...to, retryDelays }).catch(() => undefined),
  };
}

function sendLarge(
  to: { endpoint: string; headers: Record<string, string> },
  { path, file, size, overwrite, resumeId }: UploadJob,
  events: UploadEvents,
): () => void {
  let isStopped = false;
  const upload = new Upload(file, {
    ...to,
    retryDelays,
    uploadUrl: resumeId === undefined ? null : `${to.endpoint}${resumeId}`,
    metadata: { path, key: keyOf(file, size), overwrite: overwrite ? '1' : '0' },
    // The session's address is useless to later pages; the gateway finds what was sent by the metadata.
    storeFingerprintForResuming: false,
    onShouldRetry: isWorthRetrying,
    onUploadUrlAvailable: () => events.onBegun(upload.url?.slice(upload.url.lastIndexOf('/') + 1) ?? ''),
    onProgress: (sentBytes) => events.onProgress(sentBytes),
    onSuccess: () => events.onDone(),
    onError: (error) =>
      void failureOf(error, file).then((failure) => {
        if (!isStopped) events.onFailed(failure);
      }),
  });
  upload.start();
  return () => {
    isStopped = true;
    void upload.abort().catch(() => undefined); // it has ended already
  };
}

/** 409: the gateway already has more of the file than was known here. 423: it still writes what came before the cut. */
function isWorthRetrying({ originalResponse }: DetailedError): boolean {
  const status = originalResponse?.getStatus() ?? 0;
  if (failureOfAnswer(status, originalResponse?.getBody() ?? '').type !== 'cut') return false;
  return status < 400 || status >= 500 || status === 409 || status === 423;
}

async function failureOf(error: Error | DetailedError, file: File): Promise<UploadFailure> {
  const response = error instanceof DetailedError ? error.originalResponse : null;
  if (response) return failureOfAnswer(response.getStatus(), response.getBody());
  return (await isUnreadable(file)) ? unreadable : lost;
}

function failureOfCall(error: unknown): UploadFailure {
  if (!(error instanceof ApiError)) throw error;
  const { failure } = error;
  if (failure.type === 'problem')
    return failureOfAnswer(failure.status, JSON.stringify({ code: failure.code, detail: failure.detail }));
  return failure.type === 'unreadable' ? { ...lost, isAnswered: true } : { ...lost, text: errorText(error) };
}
