import { failureOfAnswer, isUnreadable, lost, unreadable } from './upload-failure.ts';
import type { UploadEvents, UploadFailure, UploadJob } from './upload-transport.ts';

/** When such a file is cut off, it is sent anew. */
export const SMALL_BYTES = 256 * 1024;

/** Sends a file in one request: tus 1.0 with its extension creation-with-upload. Returns the way to stop it. */
export function sendSmall(
  { endpoint, headers }: { endpoint: string; headers: Record<string, string> },
  { path, file, size, overwrite }: UploadJob,
  events: UploadEvents,
): () => void {
  const stopped = new AbortController();
  const { signal } = stopped;

  async function send(): Promise<void> {
    const failure = await answer().catch(async () => ((await isUnreadable(file)) ? unreadable : lost));
    if (signal.aborted) return;
    if (failure) events.onFailed(failure);
    else events.onDone();
  }

  async function answer(): Promise<UploadFailure | undefined> {
    const response = await fetch(endpoint, {
      method: 'POST',
      signal,
      headers: {
        ...headers,
        'tus-resumable': '1.0.0',
        'upload-length': String(size),
        'upload-metadata': encodedPairs({ path, key: keyOf(file, size), overwrite: overwrite ? '1' : '0' }),
        'content-type': 'application/offset+octet-stream',
      },
      body: file,
    });
    return response.status === 201 ? undefined : failureOfAnswer(response.status, await response.text());
  }

  void send();
  return () => stopped.abort();
}

/** Distinguishes the local file from another one of the same name. */
export function keyOf({ lastModified }: File, size: number): string {
  return `${size}-${lastModified}`;
}

function encodedPairs(metadata: Record<string, string>): string {
  return Object.entries(metadata)
    .map(([name, value]) => `${name} ${btoa(String.fromCharCode(...new TextEncoder().encode(value)))}`)
    .join(',');
}
