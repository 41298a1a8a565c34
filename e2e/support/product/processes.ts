import { readdir, readFile } from 'node:fs/promises';

export type RunningProcess = { pid: number; commandLine: string };

/** Every process of this machine whose command line holds `text`; Linux only, as the product's database is. */
export async function findProcesses(text: string): Promise<RunningProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const all = await Promise.all(pids.map(readProcess));
  return all.filter((found) => found !== undefined && found.commandLine.includes(text)) as RunningProcess[];
}

/** Resident memory of one process. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  if (kilobytes === undefined) throw new Error(`process ${pid} has no VmRSS`);
  return Number(kilobytes) * 1024;
}

/** The server's Node process: the member of the product's group that runs the stack. */
export async function findServerPid(groupId: number): Promise<number> {
  const candidates = await findProcesses('stack/src/main.ts');
  for (const { pid, commandLine } of candidates) {
    const isNode = !commandLine.startsWith('npm') && !commandLine.startsWith('sh');
    if (isNode && (await groupOf(pid)) === groupId) return pid;
  }
  throw new Error(`no server process in group ${groupId}`);
}

/** The relay processes of the product, by their numbers. */
export async function findRelayPids(groupId: number): Promise<Map<number, number>> {
  const relays = new Map<number, number>();
  for (const { pid, commandLine } of await findProcesses('stack/dist/relay-process.js')) {
    const number = Number(/relay-process\.js (\d+)/.exec(commandLine)?.[1]);
    if ((await groupOf(pid)) === groupId) relays.set(number, pid);
  }
  return relays;
}

/** The gateway process of the product; undefined while there is none. */
export async function findGatewayPid(groupId: number): Promise<number | undefined> {
  for (const { pid } of await findProcesses('stack/dist/gateway-process.js'))
    if ((await groupOf(pid)) === groupId) return pid;
  return undefined;
}

/** The processes that this one has started, and that those have started. */
export async function findDescendants(ancestor: number): Promise<RunningProcess[]> {
  const all = await findProcesses('');
  const parents = new Map(await Promise.all(all.map(async ({ pid }) => [pid, await parentOf(pid)] as const)));
  const isBelow = (pid: number | undefined): boolean =>
    pid !== undefined && (parents.get(pid) === ancestor || isBelow(parents.get(pid)));
  return all.filter(({ pid }) => isBelow(pid));
}

async function readProcess(pid: number): Promise<RunningProcess | undefined> {
  try {
    const commandLine = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim();
    return { pid, commandLine };
  } catch {
    return undefined; // it has ended since it was listed
  }
}

/** CPU time of a process with all its threads, in ticks. */
export async function processorTime(pid: number): Promise<number> {
  const fields = statFields(await readFile(`/proc/${pid}/stat`, 'utf8'));
  return Number(fields[11]) + Number(fields[12]); // user and system time
}

/** Undefined for one that has ended meanwhile. */
async function groupOf(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return stat === undefined ? undefined : Number(statFields(stat)[2]);
}

async function parentOf(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return stat === undefined ? undefined : Number(statFields(stat)[1]);
}

/** State, parent, group and so on, without the name in parentheses, which may contain spaces. */
function statFields(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
