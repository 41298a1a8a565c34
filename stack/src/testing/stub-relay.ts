import { type FromRelay, type ToRelay } from '../relays/relay-messages.ts';

// A relay process without a relay. Arguments: how often it beats, and `listening` if it never becomes ready.
const [beatEveryMs, lastStep] = process.argv.slice(2);

process.on('message', ({ type }: ToRelay) => {
  if (type === 'stop') process.exit(0);
  send({ type: 'listening' });
  if (lastStep !== 'listening') send({ type: 'ready' });
});
setInterval(() => send({ type: 'beat' }), Number(beatEveryMs));

function send(message: FromRelay): void {
  process.send?.(message);
}
