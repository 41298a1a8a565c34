import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pino } from 'pino';
import { openDb, type OpenDb } from '../../db/driver.ts';

const SOCKET_DIR_LINE = 4; // of postmaster.pid: pid, folder, start time, port, socket folder

/** Connects to the embedded database of a running installation. */
export async function openInstallation({ embeddedDir }: { embeddedDir: string }): Promise<OpenDb> {
  const pidFile = await readFile(path.join(embeddedDir, 'postmaster.pid'), 'utf8');
  const socketDir = pidFile.split('\n')[SOCKET_DIR_LINE]?.trim();
  if (!socketDir) throw new Error('the database names no socket folder');
  const url = `postgres://app@${encodeURIComponent(socketDir)}/postgres`;
  return await openDb({ url }, pino({ level: 'silent' }));
}
