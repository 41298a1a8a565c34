import type { TLSSocket } from 'node:tls';
import { must } from '@tongtu/base';
import { encodeJoin, JoinAnswer, JoinReader, type JoinRequest } from '@tongtu/tunnel';

/** Asks the relay to carry a channel over this connection. Resolves with its answer; the socket is paused behind it. */
export async function requestJoin(socket: TLSSocket, request: JoinRequest): Promise<JoinAnswer> {
  const reader = new JoinReader(JoinAnswer);
  let answer: JoinAnswer | undefined;
  socket.write(encodeJoin(request));
  await readUntil(socket, (chunk) => {
    const read = reader.push(chunk);
    answer = read?.message;
    return read?.rest;
  });
  return must(answer, 'the answer that was read');
}

/** Drops the next bytes: those that the old connection delivered after the join was requested. */
export async function dropBytes(socket: TLSSocket, bytes: number): Promise<void> {
  let left = bytes;
  if (left === 0) return;
  await readUntil(socket, (chunk) => {
    const dropped = Math.min(left, chunk.length);
    left -= dropped;
    return left === 0 ? chunk.subarray(dropped) : undefined;
  });
}

/** Reads until `take` returns the bytes that do not belong to it any more. They are read next, after a `resume`. */
function readUntil(socket: TLSSocket, take: (chunk: Buffer) => Buffer | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error) => {
      socket.off('data', onData);
      socket.off('end', onEnd);
      socket.off('close', onEnd);
      if (error === undefined) resolve();
      else reject(error);
    };
    const onEnd = () => settle(new Error('closed'));
    const onData = (chunk: Buffer) => {
      try {
        const rest = take(chunk);
        if (rest === undefined) return;
        socket.pause();
        if (rest.length > 0) socket.unshift(rest);
        settle();
      } catch (error) {
        settle(error instanceof Error ? error : new Error(String(error)));
      }
    };
    socket.on('data', onData);
    socket.on('end', onEnd);
    socket.on('close', onEnd);
    socket.resume();
    if (socket.destroyed) onEnd();
  });
}
