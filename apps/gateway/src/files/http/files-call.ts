import type { IncomingMessage, ServerResponse } from 'node:http';
import type { z } from 'zod';
import * as requests from '../../http/read-request.ts';
import type { OpenFiles } from '../open/open-files.ts';

/** A request to the file manager's calls, and what answers it. */
export type FilesCall = {
  files: OpenFiles;
  request: IncomingMessage;
  response: ServerResponse;
  query: URLSearchParams;
  /** Aborted when the client has closed the connection or the session has ended. */
  signal: AbortSignal;
};

const MAX_JSON_BYTES = 5 * 1024 * 1024; // 1000 paths of 4096 characters

export function readQuery<Schema extends z.ZodType>({ query }: FilesCall, schema: Schema): z.output<Schema> {
  return requests.readQuery(query, schema);
}

export async function readJson<Schema extends z.ZodType>(call: FilesCall, schema: Schema): Promise<z.output<Schema>> {
  return await requests.readJson(call.request, schema, MAX_JSON_BYTES);
}
