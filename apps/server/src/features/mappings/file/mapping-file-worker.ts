/** The program of the thread that MappingFileReader starts: reads one file and reports what is in it. */
import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '@tongtu/contract/errors';
import { readMappingFile } from './read-mapping-file.ts';
import type { ReadFile } from './mapping-file-reader.ts';

// A file can have an error at each character, and a stack trace takes longer than the rest of an error.
Error.stackTraceLimit = 0;

parentPort?.postMessage(read(String(workerData)));

function read(yaml: string): ReadFile {
  try {
    return { ok: true, entries: readMappingFile(yaml) };
  } catch (error) {
    // Other errors end the thread, which its starter reports.
    if (!(error instanceof AppError)) throw error;
    return { ok: false, fields: error.fields ?? {} };
  }
}
