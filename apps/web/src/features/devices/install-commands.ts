export type InstallInput = { origin: string; token: string; relayPin: string };

/** One line for a shell on the device. */
export function installCommand({ origin, token, relayPin }: InstallInput): string {
  return `curl -fsSL ${origin}/agent/install.sh | sh -s -- --token ${token} --pin ${relayPin}`;
}

/** For machines without a POSIX shell or systemd: fetch the agent, run it. */
export function manualCommands({ origin, token, relayPin }: InstallInput): string {
  return [
    `curl -fsSLO ${origin}/agent/tongtu-agent.mjs`,
    `node tongtu-agent.mjs --server ${origin} --token ${token} --pin ${relayPin}`,
  ].join('\n');
}
