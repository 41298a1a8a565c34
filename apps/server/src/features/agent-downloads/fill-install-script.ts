// What an origin and a hash are made of. None of it means anything to a shell, in whatever quotes the script has them.
const SAFE = /^[A-Za-z0-9.:/[\]-]+$/;

/** The install script for one server and one agent file. Throws on a value that a shell could read as more than text. */
export function fillInstallScript(template: string, values: { serverUrl: string; agentSha256: string }): string {
  for (const value of Object.values(values))
    if (!SAFE.test(value)) throw new Error(`unsafe in a shell script: ${value}`);
  return template
    .replaceAll('__SERVER_URL__', () => values.serverUrl)
    .replaceAll('__AGENT_SHA256__', () => values.agentSha256);
}
