/** Prefixes that no other program uses. A variable with one of them is meant for this product. */
const OWN_PREFIXES = [
  'ACME_',
  'ALIPAY_',
  'HSTS_',
  'SMS_',
  'SMTP_',
  'TLS_',
  'MAPPING_',
  'RELAY_',
  'WECHAT_',
  'WECHATPAY_',
  'DEVICE_',
  'DRAIN_',
  'TRUSTED_',
];
/** Variables that container systems derive from the name of a service: RELAY_SERVICE_HOST, RELAY_PORT_80_TCP … */
const OF_CONTAINERS = /_(SERVICE_(HOST|PORT).*|PORT|PORT_\d+_(TCP|UDP).*|ENV_.*|NAME)$/;
/** Edits between a misspelt name and the setting that it means. */
const MOST_EDITS = 2;
/** Of the agent and of Node.js; what the tests and measurements read is no setting. */
const ALSO_KNOWN = ['TONGTU_SERVER', 'TONGTU_TOKEN', 'TONGTU_STATE', 'TONGTU_NAME', 'TONGTU_PIN', 'NODE_ENV'];

export type UnknownSetting = {
  name: string;
  /** The most similar setting; undefined: only the prefix is ours. */
  meant: string | undefined;
};

/**
 * Variables that look like settings but are not. `known` are all settings. A variable belongs to another program if the
 * setting that it resembles is set as well.
 */
export function findUnknownSettings(env: NodeJS.ProcessEnv, known: readonly string[]): UnknownSetting[] {
  const isKnown = new Set([...known, ...ALSO_KNOWN]);
  return Object.keys(env)
    .filter((name) => !isKnown.has(name) && !name.startsWith('npm_'))
    .flatMap((name): UnknownSetting[] => {
      const meant = findSimilar(name, known);
      if (meant !== undefined) return isSet(env, meant) ? [] : [{ name, meant }];
      const isOurs = OWN_PREFIXES.some((prefix) => name.startsWith(prefix)) || name.startsWith('TONGTU_');
      return isOurs && !OF_CONTAINERS.test(name) ? [{ name, meant: undefined }] : [];
    })
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** A line for the operator. It hides the value, which may be a secret. */
export function describeUnknownSetting({ name, meant }: UnknownSetting): string {
  const hint = meant === undefined ? '所有设置见 docs/configuration.md' : `是否应为 ${meant}？`;
  return `提醒：环境变量 ${name} 不是通途的设置，已忽略。${hint}`;
}

function isSet(env: NodeJS.ProcessEnv, name: string): boolean {
  return env[name] !== undefined && env[name] !== '';
}

/** The setting that this name probably means. */
function findSimilar(name: string, known: readonly string[]): string | undefined {
  const upper = name.toUpperCase();
  const found = known
    // Each letter of difference in length is an edit.
    .filter((setting) => Math.abs(setting.length - upper.length) <= MOST_EDITS)
    .map((setting) => ({ setting, edits: countEdits(upper, setting) }))
    .filter(({ setting, edits }) => edits <= allowedEdits(upper, setting))
    .sort((a, b) => a.edits - b.edits);
  return found[0]?.setting;
}

/**
 * Short names resemble many others: for HOST and PORT only two swapped letters count. Two edits require the same first
 * letter, or SSL_CERT_FILE would be taken for TLS_CERT_FILE.
 */
function allowedEdits(name: string, setting: string): number {
  if (setting.length <= 4) return isAnagram(name, setting) ? 1 : 0;
  return setting.length < 9 || name[0] !== setting[0] ? 1 : MOST_EDITS;
}

function isAnagram(a: string, b: string): boolean {
  return [...a].sort().join('') === [...b].sort().join('');
}

/** Optimal string alignment distance: letters to insert, remove, replace or swap with the next one. */
function countEdits(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    const cell = (rowIndex: number, column: number): number => rows[rowIndex]?.[column] ?? Infinity;
    for (let j = 1; j <= to.length; j++) {
      const replaced = cell(i - 1, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isSwapped = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swapped = isSwapped ? cell(i - 2, j - 2) + 1 : Infinity;
      row.push(Math.min(cell(i - 1, j) + 1, (row[j - 1] ?? Infinity) + 1, replaced, swapped));
    }
    rows.push(row);
  }
  return rows[from.length]?.[to.length] ?? Infinity;
}
