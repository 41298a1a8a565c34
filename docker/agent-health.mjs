/** Succeeds while the agent of this container is online, by the events that it keeps in its state folder. */
import { readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;
// The 22nd field of proc_pid_stat(5), counted from the end of the name, which may have spaces.
const startTicks = Number(readFileSync('/proc/1/stat', 'utf8').split(') ').at(-1).split(' ')[19]);
const uptimeSeconds = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]);
const startedAtMs = Date.now() - (uptimeSeconds - startTicks / TICKS_PER_SECOND) * 1_000;

// An earlier start of the container may have ended while the agent was online.
const changes = readFileSync(`${process.env.TONGTU_STATE}/events.jsonl`, 'utf8')
  .split('\n')
  .filter((line) => /"event":"(online|offline)"/.test(line))
  .map((line) => JSON.parse(line))
  .filter(({ at }) => Date.parse(at) >= startedAtMs - 1_000);
process.exit(changes.at(-1)?.event === 'online' ? 0 : 1);
