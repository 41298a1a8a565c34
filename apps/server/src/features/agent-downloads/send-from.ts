import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PackedFile } from './packed-file.ts';

/** Sends a file, or what a cut download lacks: a range without end (RFC 9110 §14), if the file is the same one. */
export function sendFrom(req: FastifyRequest, reply: FastifyReply, { bytes, etag }: PackedFile): FastifyReply {
  reply.header('cache-control', 'no-cache').header('accept-ranges', 'bytes').header('etag', etag).type('application/gzip');
  const from = Number(/^bytes=(\d{1,15})-$/.exec(req.headers.range ?? '')?.[1] ?? 0);
  const isSame = (req.headers['if-range'] ?? etag) === etag;
  if (from === 0 || from >= bytes.length || !isSame) return reply.send(bytes);
  reply.code(206).header('content-range', `bytes ${from}-${bytes.length - 1}/${bytes.length}`);
  return reply.send(bytes.subarray(from));
}
