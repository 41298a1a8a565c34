import { useWallClock } from './use-wall-clock.ts';

const renewEveryMs = 20_000;

export type RelativeTimeProps = {
  dateTime: string;
  /** The exact time, shown on hover. */
  title: string;
  textAt: (wallClockMs: number) => string;
};

/** A time relative to the current one, updated while it is visible. */
export function RelativeTime({ dateTime, title, textAt }: RelativeTimeProps) {
  return (
    <time dateTime={dateTime} title={title}>
      {textAt(useWallClock(renewEveryMs))}
    </time>
  );
}
