import { type FromRelay, type ToRelay } from '../relay-messages.ts';

/** A relay process that serves nobody: it listens at once, knows its routes, and beats as often as its argument says. */
process.on('message', ({ type }: ToRelay) => {
  if (type === 'stop') process.exit(0);
  tell({ type: 'listening' });
  tell({ type: 'ready' });
});
setInterval(() => tell({ type: 'beat' }), Number(process.argv[2]));

function tell(message: FromRelay): void {
  process.send?.(message);
}
