import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@tongtu/contract';
import type { LiveSession } from '../../session/live-session.ts';
import { OpenFiles } from '../open/open-files.ts';
import { copy, createFolder, deletePaths, move, treeSummary } from './change-calls.ts';
import { connect } from './connect-call.ts';
import type { FilesCall } from './files-call.ts';
import { getContent } from './get-content.ts';
import { listFolder } from './list-call.ts';
import { failureOf } from './failures.ts';
import { dropRest } from '../../http/read-request.ts';
import { sendProblem } from '../../http/send-problem.ts';
import { putContent } from './put-content.ts';
import { upload } from './uploads-call.ts';
import { getZip } from './zip-call.ts';

const calls: Record<string, Record<string, (call: FilesCall) => Promise<void>>> = {
  connect: { POST: connect },
  list: { GET: listFolder },
  folder: { POST: createFolder },
  move: { POST: move },
  copy: { POST: copy },
  delete: { POST: deletePaths },
  tree_summary: { GET: treeSummary },
  content: { GET: getContent, HEAD: getContent, PUT: putContent },
  zip: { GET: getZip },
};

/** Each session's files, as long as the session lives. */
const openFiles = new WeakMap<LiveSession, OpenFiles>();

/**
 * Answers a call of the file manager. `path` is what follows `/apps/{session}/files/`, without the query. Throws only bugs;
 * an answer may have been sent then.
 */
export async function handleFiles(
  session: LiveSession,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  session.touch();
  const files = openFiles.get(session) ?? new OpenFiles(session);
  openFiles.set(session, files);
  const clientClosed = new AbortController();
  response.once('close', () => clientClosed.abort()).once('finish', () => dropRest(request));
  const signal = AbortSignal.any([session.signal, clientClosed.signal]);
  const query = new URL(request.url ?? '/', 'http://gateway').searchParams;
  try {
    await callFor(path, request.method ?? '')({ files, request, response, query, signal });
  } catch (error) {
    // A body cut short is how the client learns that it is not whole.
    if (response.headersSent || clientClosed.signal.aborted) return void response.destroy();
    const failure = failureOf(session.signal.aborted ? session.signal.reason : error);
    if (failure === undefined) throw error;
    sendProblem(failure, request, response);
  }
}

function callFor(path: string, method: string): (call: FilesCall) => Promise<void> {
  if (path === 'uploads' || path.startsWith('uploads/')) return upload;
  const methods = Object.hasOwn(calls, path) ? calls[path] : undefined;
  if (methods === undefined) throw new AppError('request.not-found');
  const run = Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (run === undefined) throw new AppError('request.method-not-allowed');
  return run;
}
