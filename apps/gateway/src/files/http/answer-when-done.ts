import { problemOf, sendJson } from '../../http/send-problem.ts';
import { failureOf } from './failures.ts';
import type { FilesCall } from './files-call.ts';

/** Well below the minute after which the relay and most proxies give up an answer that does not begin. */
const KEEP_ALIVE_EVERY_MS = 15_000;

/**
 * Answers a call that takes as long as the target needs, such as the copy of a large file. After a while the answer begins
 * with status 200, and spaces, which JSON may begin with, keep its connection and the session alive. What fails later
 * is problem details in the body.
 */
export async function answerWhenDone(call: FilesCall, run: () => Promise<object>): Promise<void> {
  const { response, signal } = call;
  const keepAlive = setInterval(() => {
    if (signal.aborted) return;
    call.files.session.touch();
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
    response.write(' ');
  }, KEEP_ALIVE_EVERY_MS);
  try {
    const result = await run();
    if (response.headersSent) response.end(JSON.stringify(result));
    else sendJson(response, 200, result);
  } catch (error) {
    const failure = response.headersSent && !response.destroyed ? lateFailure(call, error) : undefined;
    if (failure === undefined) throw error;
    response.end(JSON.stringify(failure));
  } finally {
    clearInterval(keepAlive);
  }
}

function lateFailure({ files: { session }, request }: FilesCall, error: unknown) {
  const failure = failureOf(session.signal.aborted ? session.signal.reason : error);
  return failure && problemOf(failure, request.headers['accept-language']);
}
