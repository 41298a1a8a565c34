export type InstallInput = { origin: string; token: string; relayPin: string };

/** One line for a shell on the device. The token is no argument: those are shown to every user of the device. */
export function installCommand({ origin, token, relayPin }: InstallInput): string {
  return `${fetchScript(origin)} | TONGTU_TOKEN=${token} sh -s -- --pin ${relayPin}`;
}

/** By curl or wget, whichever the device has. Not one after the other: a download that breaks off must run nothing. */
function fetchScript(origin: string): string {
  const url = `${origin}/agent/install.sh`;
  return `if command -v curl >/dev/null; then curl -fsSL ${url}; else wget -qO- ${url}; fi`;
}

/** For PowerShell. The token stays in the variables of this window. */
export function windowsCommand({ origin, token, relayPin }: InstallInput): string {
  return `$env:TONGTU_TOKEN='${token}'; $env:TONGTU_PIN='${relayPin}'; irm ${origin}/agent/install.ps1 | iex`;
}

/** Run again on a device, the script installs the agent that the server hands out. The device keeps its identity. */
export function upgradeCommand({ origin }: Pick<InstallInput, 'origin'>): string {
  return `${fetchScript(origin)} | sh`;
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

const IMAGE = 'node:24-alpine';

/** Mirrors of Docker Hub have the official images below `library`. */
function imageBehind(prefix: string): string {
  return prefix === '' ? IMAGE : `${prefix}/library/${IMAGE}`;
}

/** What the container runs. Only a shell is needed besides Node.js; the agent is fetched again at each start. */
function containerScript({ origin, relayPin }: InstallInput): string {
  return `wget -qO- ${origin}/agent/install.sh | sh -s -- --pin ${relayPin} --foreground`;
}

/** Not as root: a new volume belongs to the user whose home it is. */
export function dockerCommand(input: InstallInput, imagePrefix = ''): string {
  return [
    'docker run -d --name tongtu-agent --init --network host --restart unless-stopped',
    `  --user node -v tongtu-agent:/home/node -e TONGTU_TOKEN=${input.token} ${imageBehind(imagePrefix)}`,
    `  sh -c '${containerScript(input)}'`,
  ].join(' \\\n');
}

export function composeFile(input: InstallInput, imagePrefix = ''): string {
  return [
    'services:',
    '  tongtu-agent:',
    `    image: ${imageBehind(imagePrefix)}`,
    '    init: true',
    '    network_mode: host',
    '    restart: unless-stopped',
    '    user: node',
    '    environment:',
    `      TONGTU_TOKEN: ${input.token}`,
    `    command: ["sh", "-c", "${containerScript(input)}"]`,
    '    volumes:',
    '      - tongtu-agent:/home/node',
    'volumes:',
    '  tongtu-agent:',
    '',
  ].join('\n');
}

/** For a shell on OpenWrt, whose older releases have opkg and newer ones apk. */
export function openwrtCommands(uci: string): string {
  return [
    'if command -v apk >/dev/null; then apk update && apk add frpc ca-bundle; else opkg update && opkg install frpc ca-bundle; fi',
    '[ ! -e /etc/config/frpc ] || cp /etc/config/frpc /etc/config/frpc.bak',
    "cat > /etc/config/frpc <<'EOF'",
    `${uci.trimEnd()}\nEOF`,
    '/etc/init.d/frpc enable',
    '/etc/init.d/frpc restart',
    '',
  ].join('\n');
}
