// The characters of origins and hashes. None of them is special to a shell, with or without quotes.
const SAFE = /^[A-Za-z0-9.:/[\]-]+$/;

/** Inserts the server's address and the agent's hash. Throws on a value with characters that are special to a shell. */
export function fillInstallScript(template: string, values: { serverUrl: string; agentSha256: string }): string {
  for (const value of Object.values(values))
    if (!SAFE.test(value)) throw new Error(`unsafe in a shell script: ${value}`);
  return template
    .replaceAll('__SERVER_URL__', () => values.serverUrl)
    .replaceAll('__AGENT_SHA256__', () => values.agentSha256);
}
