import type { AlertFailure, AlertTarget } from '@tongtu/contract';
import type { AlertMessage } from '../sending/alert-message.ts';
import { bark } from './bark.ts';
import { dingtalk } from './dingtalk.ts';
import { feishu } from './feishu.ts';
import type { Provider, ProviderAnswer, ProviderCall, TargetOf } from './provider.ts';
import { serverchan } from './serverchan.ts';
import { webhook } from './webhook.ts';
import { wecom } from './wecom.ts';

export type { ProviderAnswer, ProviderCall };

/** What takes messages by HTTP. */
export type HttpKind = Exclude<AlertTarget['kind'], 'email'>;

const providers: { [Kind in HttpKind]: Provider<Kind> } = { webhook, wecom, dingtalk, feishu, bark, serverchan };

export function callOf<Kind extends HttpKind>(
  kind: Kind,
  target: TargetOf<Kind>,
  message: AlertMessage,
  wallClockMs: number,
): ProviderCall {
  return providers[kind].call(target, message, wallClockMs);
}

export function judgeAnswer(kind: HttpKind, answer: ProviderAnswer): AlertFailure | undefined {
  return providers[kind].judge(answer);
}
