export type InstallInput = { origin: string; token: string; relayPin: string };

/** One line for a shell on the device. The token is no argument: those are shown to every user of the device. */
export function installCommand({ origin, token, relayPin }: InstallInput): string {
  return `curl -fsSL ${origin}/agent/install.sh | TONGTU_TOKEN=${token} sh -s -- --pin ${relayPin}`;
}

/** Run again on a device, the script installs the agent that the server hands out. The device keeps its identity. */
export function upgradeCommand({ origin }: Pick<InstallInput, 'origin'>): string {
  return `curl -fsSL ${origin}/agent/install.sh | sh`;
}

// Node itself fetches the file: `curl` is another program in PowerShell. Written for sh, cmd and PowerShell alike.
export function downloadCommand({ origin }: Pick<InstallInput, 'origin'>): string {
  return `node -e "fetch('${origin}/agent/tongtu-agent.mjs').then(r=>r.text()).then(t=>fs.writeFileSync('tongtu-agent.mjs',t))"`;
}

/** For machines without a POSIX shell or systemd: fetch the agent, run it. */
export function manualCommands({ origin, token, relayPin }: InstallInput): string {
  return [
    downloadCommand({ origin }),
    `node tongtu-agent.mjs --server ${origin} --token ${token} --pin ${relayPin}`,
  ].join('\n');
}
