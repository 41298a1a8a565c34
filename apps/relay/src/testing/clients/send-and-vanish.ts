import { spawnSync } from 'node:child_process';

const program = `
const [, port, hex] = process.argv;
const socket = require('node:net').connect(Number(port), '127.0.0.1', () => {
  socket.write(Buffer.from(hex, 'hex'), () => socket.resetAndDestroy());
});
socket.on('close', () => process.exit());
`;

/**
 * A visitor that connects, sends something and resets its connection while this process is blocked. A listener in this
 * process then accepts a connection that has bytes, but no address.
 */
export function sendAndVanish(port: number, bytes: Buffer): void {
  const { status, stderr } = spawnSync(process.execPath, ['-e', program, String(port), bytes.toString('hex')]);
  if (status !== 0) throw new Error(`the visitor failed: ${stderr.toString()}`);
}
