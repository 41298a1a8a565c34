import { type FromRelay, type ToRelay } from '../relay-messages.ts';

/** A relay process that serves nobody. Arguments: how often it beats, and `listening` when it never gets to know its routes. */
const [beatEveryMs, lastStep] = process.argv.slice(2);

process.on('message', ({ type }: ToRelay) => {
  if (type === 'stop') process.exit(0);
  tell({ type: 'listening' });
  if (lastStep !== 'listening') tell({ type: 'ready' });
});
setInterval(() => tell({ type: 'beat' }), Number(beatEveryMs));

function tell(message: FromRelay): void {
  process.send?.(message);
}
