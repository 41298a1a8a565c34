import { Button } from 'antd';
import type { Security } from '@tongtu/contract';
import { useSiteConfig } from '../../api/index.ts';
import { momentText } from '../../text/time.ts';
import { waysInText, wechatText } from '../../text/users.ts';
import { StateTag } from '../../ui/state-tag.tsx';
import { useToast } from '../../ui/use-toast.ts';
import { SettingRow } from '../account/setting-row.tsx';
import { useAsk } from '../account/use-ask.ts';
import { useTellFailure } from '../confirm/use-tell-failure.ts';
import { useUnbindWechat } from './use-user-info.ts';

type Bound = NonNullable<Security['wechat']>;

export function WechatRow({ wechat }: { wechat: Bound | null }) {
  return wechat === null ? <Unbound /> : <BoundTo wechat={wechat} />;
}

function Unbound() {
  const hasWechat = typeof useSiteConfig()?.sso_url === 'string';
  return (
    <SettingRow
      title={
        <>
          {wechatText.wechat}
          <StateTag tone="muted">{waysInText.notBound}</StateTag>
        </>
      }
      text={hasWechat ? wechatText.hint : wechatText.unavailable}
    />
  );
}

function BoundTo({ wechat }: { wechat: Bound }) {
  const ask = useAsk();
  const toast = useToast();
  const tellFailure = useTellFailure();
  const unbind = useUnbindWechat();

  function onConfirm() {
    unbind.mutate(undefined, {
      onSuccess: () => toast.success(wechatText.unbound),
      onError: tellFailure,
    });
  }
  return (
    <SettingRow
      title={wechatText.wechat}
      text={wechatText.bound(wechat.nickname || wechatText.anonymous, momentText(wechat.bound_at))}
      actions={
        <Button
          loading={unbind.isPending}
          onClick={() =>
            ask({
              title: wechatText.unbindTitle,
              text: wechatText.unbindText,
              confirm: waysInText.unbind,
              onConfirm,
            })
          }
        >
          {waysInText.unbind}
        </Button>
      }
    />
  );
}
