import { parseArgs } from 'node:util';
import { AgentError } from '../events/agent-error.ts';

export type Arguments =
  | { type: 'help' }
  | { type: 'version' }
  | { type: 'diagnose'; stateDir: string; serverUrl?: string }
  | {
      type: 'run';
      stateDir: string;
      discovery: boolean;
      bbr: boolean;
      serverUrl?: string;
      token?: string;
      name?: string;
      pin?: string;
      /** Go online once within this time, and end. */
      onlineWithinMs?: number;
    };

const options = {
  server: { type: 'string' },
  token: { type: 'string' },
  state: { type: 'string' },
  name: { type: 'string' },
  pin: { type: 'string' },
  'no-discovery': { type: 'boolean' },
  'no-bbr': { type: 'boolean' },
  diagnose: { type: 'boolean' },
  'online-within': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

/** Reads command line and environment, in this order of weight. Throws AgentError `usage.invalid`. */
export function readArguments(args: string[], env: NodeJS.ProcessEnv): Arguments {
  const values = parse(args);
  if (values.help === true) return { type: 'help' };
  if (values.version === true) return { type: 'version' };
  const stateDir = given(values.state) ?? given(env.TONGTU_STATE);
  if (stateDir === undefined) throw usage('请用 --state 指定状态目录');
  const serverUrl = given(values.server) ?? given(env.TONGTU_SERVER);
  const token = given(values.token) ?? given(env.TONGTU_TOKEN);
  const name = given(values.name) ?? given(env.TONGTU_NAME);
  const pin = given(values.pin) ?? given(env.TONGTU_PIN);
  if (serverUrl !== undefined && !isWebAddress(serverUrl)) {
    throw usage('--server 必须是 http:// 或 https:// 开头的地址');
  }
  if (values.diagnose === true)
    return { type: 'diagnose', stateDir, ...(serverUrl !== undefined ? { serverUrl } : {}) };
  if (token !== undefined && (token.length > 200 || /\s/.test(token))) throw usage('--token 不是有效的令牌');
  if (pin !== undefined && !/^[A-Za-z0-9_-]{43}$/.test(pin)) throw usage('--pin 必须是 43 个字符的证书指纹');
  const onlineWithin = values['online-within'];
  if (onlineWithin !== undefined && !/^[1-9]\d{0,4}$/.test(onlineWithin)) throw usage('--online-within 必须是秒数');
  return {
    type: 'run',
    stateDir,
    discovery: isOn('TONGTU_DISCOVERY', env.TONGTU_DISCOVERY) && values['no-discovery'] !== true,
    bbr: isOn('TONGTU_BBR', env.TONGTU_BBR) && values['no-bbr'] !== true,
    ...(serverUrl !== undefined ? { serverUrl } : {}),
    ...(token !== undefined ? { token } : {}),
    ...(name !== undefined ? { name } : {}),
    ...(pin !== undefined ? { pin } : {}),
    ...(onlineWithin !== undefined ? { onlineWithinMs: Number(onlineWithin) * 1000 } : {}),
  };
}

function isOn(name: string, value: string | undefined): boolean {
  const word = given(value);
  if (word !== undefined && word !== 'on' && word !== 'off') throw usage(`${name} 必须是 on 或 off`);
  return word !== 'off';
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options, strict: true, allowPositionals: false }).values;
  } catch (cause) {
    // Node names the wrong option at the front of an English sentence; only the name is kept.
    const culprit = cause instanceof Error ? /'([^']+)'/.exec(cause.message)?.[1] : undefined;
    throw new AgentError('usage.invalid', { cause, detail: `无法识别 ${culprit ?? args.join(' ')}` });
  }
}

/** A variable or option set to nothing, as in scripts, means "not given". */
function given(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === '' ? undefined : trimmed;
}

function usage(detail: string): AgentError {
  return new AgentError('usage.invalid', { detail });
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
