import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { findProgram } from './find-program.ts';

/** Of Debian's inetutils-telnetd. */
export const telnetdProgram = findProgram('telnetd');

/** A shell by Telnet for one connection, as inetd starts it. */
export function serveTelnet(socket: Socket): void {
  if (telnetdProgram === undefined) throw new Error('telnetd is missing');
  socket.pause();
  const program = spawn(telnetdProgram, ['-h', '-E', '/bin/sh'], { stdio: [socket, socket, 'ignore'] });
  program.once('spawn', () => socket.destroy()); // the program has it now
  program.once('exit', () => socket.destroy());
}
