import { type FromRelay, type ToRelay } from '../relays/relay-messages.ts';

// A relay process without a relay. Arguments: how often it beats, and the last step that it takes by itself: `listening`
// if it never becomes ready, `warm-up` if it lets visitors in only on demand.
const [beatEveryMs, lastStep] = process.argv.slice(2);

process.on('message', (message: ToRelay) => {
  switch (message.type) {
    case 'hand-over':
    case 'stop':
      process.exit(0);
    case 'open':
      return send({ type: 'opened' });
    case 'start':
      send({ type: 'devices', count: 3 });
      send({ type: 'listening' });
      if (lastStep !== 'listening') send({ type: 'ready' });
      if (lastStep === 'warm-up' && message.config.warmUp !== undefined) return;
      if (lastStep !== 'listening') send({ type: 'opened' });
  }
});
process.on('SIGTERM', () => send({ type: 'wants-to-hand-over' }));
setInterval(() => send({ type: 'beat' }), Number(beatEveryMs));

function send(message: FromRelay): void {
  process.send?.(message);
}
