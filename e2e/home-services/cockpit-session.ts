/**
 * What cockpit-ws starts for a login, in place of PAM and a shell: it asks for the password and greets as a bridge does
 * (the protocol of Cockpit: the length in a line, an empty line for the control channel, JSON).
 */
import process from 'node:process';

const password = `Basic ${Buffer.from('home:Pass-1').toString('base64')}`;

function say(message: object): void {
  const text = `\n${JSON.stringify(message)}`;
  process.stdout.write(`${Buffer.byteLength(text)}\n${text}`);
}

say({ command: 'authorize', cookie: 'login', challenge: '*' });
process.stdin.once('data', (data: Buffer) => {
  if (data.toString().includes(`"${password}"`)) say({ command: 'init', version: 1, host: 'localhost' });
  else say({ command: 'init', problem: 'authentication-failed' });
});
