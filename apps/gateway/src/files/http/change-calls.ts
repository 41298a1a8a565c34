import type { IncomingMessage } from 'node:http';
import { FilesDelete, FileTransfer, FolderCreate, PathsQuery, type TreeResult } from '@tongtu/contract';
import { copyTree } from '../tree/copy-tree.ts';
import { deleteTrees } from '../tree/delete-trees.ts';
import type { Failures } from '../tree/failures.ts';
import { checkTransfer, moveTree } from '../tree/move-tree.ts';
import { summarizeTree } from '../tree/summarize-tree.ts';
import { answerWhenDone } from './answer-when-done.ts';
import { type FilesCall, readJson, readQuery } from './files-call.ts';
import { fileFailure } from './failures.ts';
import { problemOf, sendJson } from '../../http/send-problem.ts';

/** `POST folder` */
export async function createFolder(call: FilesCall): Promise<void> {
  const { path } = await readJson(call, FolderCreate);
  const fileSystem = await call.files.fileSystem();
  await fileSystem.createFolder(path);
  sendJson(call.response, 201, {});
}

/** `POST move` */
export async function move(call: FilesCall): Promise<void> {
  const transfer = await readJson(call, FileTransfer);
  const fileSystem = await call.files.fileSystem();
  await checkTransfer(fileSystem, transfer);
  await answerWhenDone(call, async () => toJson(await moveTree(fileSystem, transfer, call.signal), call.request));
}

/** `POST copy` */
export async function copy(call: FilesCall): Promise<void> {
  const transfer = await readJson(call, FileTransfer);
  const fileSystem = await call.files.fileSystem();
  await checkTransfer(fileSystem, transfer);
  await answerWhenDone(call, async () => toJson(await copyTree(fileSystem, transfer, call.signal), call.request));
}

/** `POST delete` */
export async function deletePaths(call: FilesCall): Promise<void> {
  const { paths } = await readJson(call, FilesDelete);
  const fileSystem = await call.files.fileSystem();
  await answerWhenDone(call, async () => toJson(await deleteTrees(fileSystem, paths, call.signal), call.request));
}

/** `GET tree_summary?paths=` */
export async function treeSummary(call: FilesCall): Promise<void> {
  const { paths } = readQuery(call, PathsQuery);
  const fileSystem = await call.files.fileSystem();
  await answerWhenDone(call, async () => await summarizeTree(fileSystem, paths, call.signal));
}

function toJson({ done, failures }: { done: number; failures: Failures }, request: IncomingMessage): TreeResult {
  const failed = failures.first.map(({ path, error }) => {
    const { code, detail } = problemOf(fileFailure(error), request.headers['accept-language']);
    return { path, code, detail };
  });
  return { done, failed_count: failures.count, failed };
}
