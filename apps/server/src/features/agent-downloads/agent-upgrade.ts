const VERSION = /^(\d+)\.(\d+)\.(\d+)$/;

/** The version that this server hands out, if the device runs an older one. Null also for versions of another form. */
export function agentUpgrade(running: string, handedOut: string): string | null {
  const [from, to] = [readVersion(running), readVersion(handedOut)];
  if (from === undefined || to === undefined) return null;
  const differing = to.findIndex((part, index) => part !== from[index]);
  return (to[differing] ?? 0) > (from[differing] ?? 0) ? handedOut : null;
}

function readVersion(text: string): number[] | undefined {
  return VERSION.exec(text)?.slice(1).map(Number);
}
