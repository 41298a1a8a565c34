/**
 * The process behind swarm.ts. Each of its devices enrols once, stays idle, and reconnects when its connection ends.
 */
import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { connect, createSecureContext, type TLSSocket } from 'node:tls';
import { RetryDelay, type TryEnd } from '@tongtu/agent';
import { AgentBootstrap } from '@tongtu/contract';
import { connectMux, encodeMessage, loginProof, MessageDecoder, PROTOCOL_VERSION, RelayMessage } from '@tongtu/tunnel';
import type { SwarmOptions, SwarmOrder, SwarmReport } from './swarm.ts';

// Each device has an address of its own, as homes do, so that limits per address do not distort the measurement.
const SOURCES = 200;
const OPENING_AT_ONCE = 100;
const REPORT_EVERY_MS = 20;

type Closed = { wasOnline: boolean; end: TryEnd };
type Device = {
  key: KeyObject;
  publicKey: string;
  source: string;
  socket: TLSSocket | undefined;
  /** The token is shown only for the enrolment. */
  isEnrolled: boolean;
};

const options = JSON.parse(process.argv[2] ?? '') as SwarmOptions; // written by swarm.ts
const reply = await fetch(`${options.consoleUrl}/api/agent/bootstrap/`);
const { relay_pin: pin } = AgentBootstrap.parse(await reply.json());
// One for all devices: a real device creates its own once.
const secureContext = createSecureContext({ minVersion: 'TLSv1.3' });
const devices: Device[] = [];
let online = 0;
let refused = 0;
let reported = 0;

process.on('message', (order) => {
  const { type, ...rest } = order as SwarmOrder; // the parent process is swarm.ts
  if (type === 'drop') void dropAll();
  else void connectMany((rest as { count: number }).count);
});
process.on('disconnect', () => process.exit(0));
setInterval(() => {
  if (online !== reported) process.send?.({ online, refused } satisfies SwarmReport);
  reported = online;
}, REPORT_EVERY_MS);

async function dropAll(): Promise<void> {
  const open = devices.flatMap(({ socket }) => (socket === undefined || socket.destroyed ? [] : [socket]));
  const closed = Promise.all(open.map((socket) => once(socket, 'close')));
  for (const socket of open) socket.destroy();
  await closed;
  process.send?.({ online, refused, isDropped: true } satisfies SwarmReport);
}

async function connectMany(count: number): Promise<void> {
  const fresh = Array.from({ length: count }, (_, n) => createDevice(devices.length + n));
  devices.push(...fresh);
  await Promise.all(
    Array.from({ length: OPENING_AT_ONCE }, async () => {
      for (let device = fresh.pop(); device !== undefined; device = fresh.pop()) await keepConnected(device);
    }),
  );
}

function createDevice(number: number): Device {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  const source = `127.0.1.${1 + (number % SOURCES)}`;
  return { key: privateKey, publicKey: raw.toString('base64url'), source, socket: undefined, isEnrolled: false };
}

/** Resolves when the device is online for the first time. It reconnects with the same backoff as an agent. */
function keepConnected(device: Device): Promise<void> {
  const delay = new RetryDelay({ monotonicMs: () => performance.now(), random: Math.random });
  return new Promise((resolve) => {
    function open(): void {
      dial(device, {
        onWelcome() {
          delay.onWelcome();
          online++;
          resolve();
        },
        onClosed({ wasOnline, end }) {
          if (wasOnline) online--;
          if (end.type === 'refused') refused++;
          delay.onEnded();
          setTimeout(open, delay.pauseMs(end));
        },
      });
    }
    open();
  });
}

function dial(device: Device, events: { onWelcome: () => void; onClosed: (closed: Closed) => void }): void {
  let isOnline = false;
  let end: TryEnd = { type: 'lost' };
  const tcp = connectTcp({ host: '127.0.0.1', port: options.port, localAddress: device.source, noDelay: true });
  const socket = connect({ socket: tcp, secureContext, rejectUnauthorized: false });
  device.socket = socket;
  socket.on('error', () => {}); // 'close' follows
  socket.on('close', () => events.onClosed({ wasOnline: isOnline, end }));
  const noEvents = { onData() {}, onEnd() {}, onReset() {}, onDrain() {} };
  const mux = connectMux(socket, {
    role: 'client',
    monotonicMs: () => performance.now(),
    isResumable: true,
    onStream: () => noEvents,
    onClose: () => socket.destroy(),
  });
  const decoder = new MessageDecoder(RelayMessage);
  const control = mux.openStream({
    ...noEvents,
    onData(chunk) {
      control.consumed(chunk.length);
      for (const message of decoder.push(chunk)) {
        if (message.type === 'challenge') {
          const signature = sign(null, loginProof(message.nonce, pin), device.key).toString('base64url');
          const credentials = device.isEnrolled ? {} : { token: options.token, name: 'idle' };
          control.write(encodeMessage({ type: 'login', signature, ...credentials }));
        } else if (message.type === 'welcome') {
          isOnline = true;
          device.isEnrolled = true;
          events.onWelcome();
        } else if (message.type === 'bye') {
          end = message;
        } else if (message.type === 'refused') {
          if (!message.retry) throw new Error(`refused: ${message.code}`);
          end = message;
        }
      }
    },
  });
  const { publicKey } = device;
  const protocol = PROTOCOL_VERSION;
  const agent = { agentVersion: '0.0.0', platform: 'bench', publicKey, features: ['channels'] };
  control.write(encodeMessage({ type: 'hello', protocol, ...agent }));
}
