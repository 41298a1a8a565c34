import { createHash, timingSafeEqual } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Agent as HttpAgent, get as getHttp, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, get as getHttps } from 'node:https';
import { pipeline } from 'node:stream/promises';
import type { RuntimePackage } from './runtime-packages.ts';

const SILENT_AFTER_MS = 30_000;
/** Node.js for one platform has about 60 MB. */
const MAX_ARCHIVE_BYTES = 200_000_000;

/** The archive is not the one that the lockfile names. */
export class WrongArchiveError extends Error {
  override readonly name = 'WrongArchiveError';
}

/**
 * Downloads a package's archive from the npm registry into a file and checks it against the lockfile's hash. Goes
 * through the proxy of HTTP_PROXY and HTTPS_PROXY, as npm does.
 */
export async function fetchPackage(
  { name, version, integrity }: Pick<RuntimePackage, 'name' | 'version' | 'integrity'>,
  { registry, file, signal }: { registry: string; file: string; signal: AbortSignal },
): Promise<void> {
  const response = await open(new URL(`${registry.replace(/\/$/, '')}/${name}/-/${name}-${version}.tgz`), signal);
  const hash = createHash('sha512');
  let bytes = 0;
  await pipeline(
    response,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        if (bytes > MAX_ARCHIVE_BYTES) throw new WrongArchiveError(`${name} is larger than ${MAX_ARCHIVE_BYTES} bytes`);
        hash.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(file, { mode: 0o600 }),
    { signal },
  );
  const expected = Buffer.from(/^sha512-([A-Za-z0-9+/=]+)$/.exec(integrity)?.[1] ?? '', 'base64');
  const found = hash.digest();
  if (expected.length !== found.length || !timingSafeEqual(expected, found)) {
    throw new WrongArchiveError(`${name}@${version} from ${registry} has another hash than the lockfile`);
  }
}

function open(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
  const agentOptions = { proxyEnv: process.env };
  const isHttps = url.protocol === 'https:';
  const agent = isHttps ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions);
  return new Promise((resolve, reject) => {
    const request = (isHttps ? getHttps : getHttp)(url, { agent, signal, timeout: SILENT_AFTER_MS }, (response) => {
      if (response.statusCode === 200) return resolve(response);
      response.resume();
      reject(new Error(`${url.host} answered ${response.statusCode} for ${url.pathname}`));
    });
    request.once('timeout', () => request.destroy(new Error(`${url.host} was silent for ${SILENT_AFTER_MS} ms`)));
    request.on('error', reject);
  });
}
