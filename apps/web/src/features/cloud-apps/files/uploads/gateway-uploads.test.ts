import { afterEach, expect, test, vi } from 'vitest';
import { createFilesClient } from '../files-client.ts';
import { gatewayUploads } from './gateway-uploads.ts';
import type { UploadFailure } from './upload-transport.ts';

afterEach(() => vi.unstubAllGlobals());

type Sent = { method: string | undefined; headers: Headers };

/** Uploads one small file; the gateway gives this answer. */
async function uploadSmall(answer: () => Response | Promise<Response>, file = new File(['内容'], 'x')) {
  const sent: Sent[] = [];
  vi.stubGlobal('fetch', async (_url: string, { method, headers }: RequestInit) => {
    sent.push({ method, headers: new Headers(headers) });
    return await answer();
  });
  const client = createFilesClient({ id: 1, path: '/apps/1/' });
  const job = { path: '/照片/春天 1.jpg', file, size: file.size, overwrite: false, resumeId: undefined };
  const failure = await new Promise<UploadFailure | undefined>((resolve) => {
    gatewayUploads(client).start(job, {
      onBegun: () => {},
      onProgress: () => {},
      onDone: () => resolve(undefined),
      onFailed: resolve,
    });
  });
  return { sent, failure };
}

const problem = (status: number, code: string) =>
  new Response(JSON.stringify({ code, detail: `原因 ${code}`, status }), { status });

test('a small file takes one request, which has its name, its size and its content', async () => {
  const { sent, failure } = await uploadSmall(() => new Response('', { status: 201 }));
  expect(failure).toBeUndefined();
  expect(sent).toHaveLength(1);
  expect(sent[0]?.method).toBe('POST');
  expect(sent[0]?.headers.get('upload-length')).toBe('6');
  expect(sent[0]?.headers.get('content-type')).toBe('application/offset+octet-stream');
  const [first = ''] = (sent[0]?.headers.get('upload-metadata') ?? '').split(',');
  expect(Buffer.from(first.split(' ')[1] ?? '', 'base64').toString()).toBe('/照片/春天 1.jpg');
});

test.each([
  ['a name that is taken', () => problem(409, 'files.exists'), { type: 'exists' }],
  ['a refusal of the target', () => problem(403, 'files.forbidden'), { type: 'refused', text: '原因 files.forbidden' }],
  ['a full disk', () => problem(507, 'files.disk-full'), { type: 'refused' }],
  ['a target that was lost', () => problem(502, 'target.lost'), { type: 'cut', isAnswered: true }],
  ['a device that is offline', () => problem(503, 'cloud-app.device-offline'), { type: 'cut' }],
  ['a session that has ended', () => problem(404, 'cloud-app.session-not-found'), { type: 'cut' }],
  ['a login that is asked for again', () => problem(409, 'login.credentials-required'), { type: 'cut' }],
  ['no answer', () => Promise.reject(new TypeError('Failed to fetch')), { type: 'cut' }],
])('%s is distinguished', async (_what, answer, expected) => {
  expect((await uploadSmall(answer)).failure).toMatchObject(expected);
});

test('a file that was deleted since it was chosen is no lost connection', async () => {
  const file = new File(['x'], 'x');
  file.slice = () =>
    ({ arrayBuffer: () => Promise.reject(new DOMException('', 'NotReadableError')) }) as unknown as Blob;
  const { failure } = await uploadSmall(() => Promise.reject(new TypeError('Failed to fetch')), file);
  expect(failure).toMatchObject({ type: 'refused', text: /读不到这个文件/ });
});
