/**
 * A thread that reads what targets send: long lists and answers would hold up all sessions in the main thread. Whatever a
 * reader holds has a limit of its own; the thread's heap has one, too.
 */
import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { DownloadError } from './errors/download-error.ts';
import { FileError } from './errors/file-error.ts';
import { TargetError } from './errors/target-error.ts';
import type { FromParseThread, ParseFailure, Reader, ReaderKind, ToParseThread } from './parsing/parse-messages.ts';

// The XML parser makes an error of each mistake in what it reads, and with a stack it takes ten times as long.
Error.stackTraceLimit = 0;

giveWay();
const create = await readerOf(workerData as ReaderKind);
const readers = new Map<number, Reader>();

parentPort?.on('message', (message: ToParseThread) => {
  const { id } = message;
  if (message.type === 'close') return void readers.delete(id);
  if (message.type === 'open') return void readers.set(id, create(message.options));
  answer(resultOf(id, () => readInto(readers.get(id), message)));
});

/** To the thread that serves all sessions, where there are not enough processors. Linux has a priority for each thread. */
function giveWay(): void {
  try {
    const id = Number(path.basename(readlinkSync('/proc/thread-self')));
    setPriority(id, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Another system, or not allowed: it reads as fast as it can.
  }
}

async function readerOf(kind: ReaderKind): Promise<(options: unknown) => Reader> {
  switch (kind) {
    case 'multistatus': {
      const { MultistatusReader } = await import('./files/webdav/multistatus-reader.ts');
      return () => new MultistatusReader();
    }
    case 'aria2-answer': {
      const { AnswerReader } = await import('./aria2/rpc/answer-reader.ts');
      return (options) => AnswerReader.open(options);
    }
  }
}

function readInto(reader: Reader | undefined, message: Extract<ToParseThread, { type: 'write' | 'end' }>): unknown {
  if (reader === undefined) throw new Error('the reader is closed');
  return message.type === 'write' ? reader.write(message.bytes) : reader.end();
}

function resultOf(id: number, read: () => unknown): FromParseThread {
  try {
    return { id, value: read() };
  } catch (error) {
    return { id, failure: failureOf(error) };
  }
}

/** What nobody expected was caused by what the target has sent. */
function failureOf(error: unknown): ParseFailure {
  if (error instanceof FileError) return { type: 'file', code: error.code };
  if (error instanceof DownloadError) return { type: 'download', code: error.code, said: error.said };
  return { type: 'target', code: error instanceof TargetError ? error.code : 'protocol' };
}

function answer(message: FromParseThread): void {
  parentPort?.postMessage(message);
}
