import { execFileSync } from 'node:child_process';

/** A LAN of this machine and one other: a network namespace, joined to this machine by a pair of interfaces. */
export type LanLink = {
  namespace: string;
  /** The interface of this machine, and that of the other. */
  near: string;
  far: string;
  /** The address of this machine and that of the other; the third is free. All are in one /28. */
  own: string;
  peer: string;
  free: string;
};

function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] }); // throws with what ip says
}

/** Why this machine cannot have one; empty when it can. For the titles of skipped tests. */
export const noNamespaces: string = (() => {
  const name = `tongtu-try-${process.pid}`;
  try {
    ip('netns', 'add', name);
    ip('netns', 'delete', name);
    return '';
  } catch {
    return ' (left out: needs root on Linux and the program ip)';
  }
})();

/** The names of a LAN. `netNumber` is of the test file alone, so that files can run side by side. */
export function lanLink(netNumber: number): LanLink {
  const network = `10.213.${netNumber}`;
  return {
    namespace: `tongtu-lan-${netNumber}`,
    near: `ttlan${netNumber}a`,
    far: `ttlan${netNumber}b`,
    own: `${network}.1`,
    peer: `${network}.2`,
    free: `${network}.3`,
  };
}

/** Creates the LAN, in place of one that a killed run has left. */
export function createLanLink(netNumber: number): LanLink & Disposable {
  const link = lanLink(netNumber);
  const { namespace, near, far, own, peer } = link;
  for (const args of [
    ['netns', 'delete', namespace],
    ['link', 'delete', near],
  ]) {
    try {
      ip(...args);
    } catch {
      // nothing was left
    }
  }
  ip('netns', 'add', namespace);
  ip('link', 'add', near, 'type', 'veth', 'peer', 'name', far, 'netns', namespace);
  ip('address', 'add', `${own}/28`, 'dev', near);
  ip('link', 'set', near, 'up');
  for (const args of [
    ['link', 'set', 'lo', 'up'],
    ['address', 'add', `${peer}/28`, 'dev', far],
    ['link', 'set', far, 'up'],
    ['route', 'add', 'default', 'via', own],
  ])
    ip('-n', namespace, ...args);
  return { ...link, [Symbol.dispose]: () => ip('netns', 'delete', namespace) }; // takes both interfaces with it
}
