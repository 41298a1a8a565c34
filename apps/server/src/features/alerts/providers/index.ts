import type { AlertFailure, AlertTarget } from '@tongtu/contract';
import type { AlertMessage } from '../sending/alert-message.ts';
import { bark } from './bark.ts';
import { dingtalk } from './dingtalk.ts';
import { feishu } from './feishu.ts';
import type { Provider, ProviderResponse, ProviderRequest, TargetOf } from './provider.ts';
import { serverchan } from './serverchan.ts';
import { webhook } from './webhook.ts';
import { wecom } from './wecom.ts';

export type { ProviderResponse, ProviderRequest };

/** Kinds of channels that are reached by HTTP. */
export type HttpKind = Exclude<AlertTarget['kind'], 'email'>;

const providers: { [Kind in HttpKind]: Provider<Kind> } = { webhook, wecom, dingtalk, feishu, bark, serverchan };

export function requestFor<Kind extends HttpKind>(
  kind: Kind,
  target: TargetOf<Kind>,
  message: AlertMessage,
  wallClockMs: number,
): ProviderRequest {
  return providers[kind].request(target, message, wallClockMs);
}

/** Returns undefined when the message arrived. */
export function failureOf(kind: HttpKind, response: ProviderResponse): AlertFailure | undefined {
  return providers[kind].failureOf(response);
}
