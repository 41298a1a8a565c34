import path from 'node:path';

/** The file of a program with a process of its own: a source in this folder, or what it was built to, in that of the bundle. */
export function programFile(name: 'relay-process' | 'gateway-process'): string {
  return path.join(import.meta.dirname, `${name}${path.extname(import.meta.filename)}`);
}
