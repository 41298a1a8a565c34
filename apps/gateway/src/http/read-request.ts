import type { IncomingMessage } from 'node:http';
import { AppError } from '@tongtu/contract';
import type { z } from 'zod';

/** How long a browser may go on sending after the answer. */
const LINGER_MS = 5_000;
/** How long a body may take, besides a second for so many bytes. Byte by byte it would hold its request for ever. */
const BODY_MS = 20_000;
const BODY_BYTES_PER_SECOND = 4_096;

/**
 * The body by its schema. The type is required because a page of another origin cannot send it without a preflight,
 * which nothing here answers.
 */
export async function readJson<Schema extends z.ZodType>(
  request: IncomingMessage,
  schema: Schema,
  maxBytes: number,
): Promise<z.output<Schema>> {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    throw new AppError('request.unsupported-type');
  const bytes = await readBody(request, maxBytes, () => new AppError('request.too-large'));
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw new AppError('request.malformed', { cause: error });
  }
  return parsed(schema, value);
}

/** The query by its schema. A name that occurs twice is refused. */
export function readQuery<Schema extends z.ZodType>(query: URLSearchParams, schema: Schema): z.output<Schema> {
  const names = [...query.keys()];
  if (new Set(names).size < names.length) throw new AppError('request.invalid');
  return parsed(schema, Object.fromEntries(query));
}

/** The whole body, or the given error when it has more bytes. Throws request.too-slow, request.malformed. */
export async function readBody(request: IncomingMessage, maxBytes: number, tooLarge: () => Error): Promise<Buffer> {
  const parts: Buffer[] = [];
  const beganAtMs = performance.now();
  let size = 0;
  let timer: NodeJS.Timeout | undefined;
  const body = new Promise<Buffer>((resolve, reject) => {
    const watch = () => {
      const leftMs = beganAtMs + BODY_MS + (size / BODY_BYTES_PER_SECOND) * 1000 - performance.now();
      if (leftMs <= 0) reject(new AppError('request.too-slow'));
      else timer = setTimeout(watch, Math.ceil(leftMs));
    };
    watch();
    request.on('data', (part: Buffer) => {
      size += part.length;
      if (size <= maxBytes) return parts.push(part);
      request.pause();
      return reject(tooLarge());
    });
    request.once('end', () => resolve(Buffer.concat(parts)));
    request.once('error', (error) => reject(new AppError('request.malformed', { cause: error })));
    request.once('close', () => reject(new AppError('request.malformed')));
  });
  return await body.finally(() => clearTimeout(timer));
}

/**
 * After the answer: takes what still comes of the body, for a while. A browser reads an answer only when it has sent all,
 * or when the connection ends.
 */
export function dropRest(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  const timer = setTimeout(() => request.destroy(), LINGER_MS);
  request.once('close', () => clearTimeout(timer)).resume();
}

function parsed<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (!result.success) throw new AppError('request.invalid', { cause: result.error });
  return result.data;
}
