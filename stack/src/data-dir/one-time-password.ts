import { randomInt } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { readIfThere, readOrCreatePrivateFile } from './data-dir.ts';

// Without letters that look alike: a person reads it from a terminal and types it into a page.
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 4;
const GROUP_LENGTH = 5;

function makePassword(): string {
  const group = () => Array.from({ length: GROUP_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}

/** A generated password for the operator. It stays in a file until it has been shown, so that no crash loses it. */
export type OneTimePassword = {
  choose: () => Promise<string>;
  read: () => Promise<string | undefined>;
  forget: () => Promise<void>;
};

export function openOneTimePassword(dataDir: string): OneTimePassword {
  const file = path.join(dataDir, 'one-time-password');
  return {
    choose: () => readOrCreatePrivateFile(file, async () => makePassword()),
    read: () => readIfThere(file),
    forget: () => rm(file, { force: true }),
  };
}
