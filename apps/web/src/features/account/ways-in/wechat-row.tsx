import { Button } from 'antd';
import { useMutation } from '@tanstack/react-query';
import type { Security } from '@tongtu/contract';
import { useState } from 'react';
import { useSiteConfig } from '../../../api/index.ts';
import { momentText } from '../../../text/time.ts';
import { waysInText, wechatText } from '../../../text/users.ts';
import { StateTag } from '../../../ui/state-tag.tsx';
import { useAsk } from '../../../ui/use-ask.ts';
import { useConfirmFirst } from '../../confirm/use-confirm-first.ts';
import { useTellFailure } from '../../confirm/use-tell-failure.ts';
import { useTell } from '../../confirm/use-tell.ts';
import { readStateLeft } from '../../login/wechat/wechat-note.ts';
import { SettingRow } from '../setting-row.tsx';
import { BindWechatDialog } from './bind-wechat-dialog.tsx';
import { useUnbindWechat } from '../use-user-info.ts';

type Bound = NonNullable<Security['wechat']>;

export function WechatRow({ wechat }: { wechat: Bound | null }) {
  return wechat === null ? <Unbound /> : <BoundTo wechat={wechat} />;
}

function Unbound() {
  const ssoUrl = useSiteConfig()?.sso_url ?? undefined;
  return (
    <SettingRow
      title={
        <>
          {wechatText.wechat}
          <StateTag tone="muted">{waysInText.notBound}</StateTag>
        </>
      }
      text={ssoUrl === undefined ? wechatText.unavailable : wechatText.hint}
      {...(ssoUrl === undefined ? {} : { actions: <Bind ssoUrl={ssoUrl} /> })}
    />
  );
}

function Bind({ ssoUrl }: { ssoUrl: string }) {
  // Goes on with what was confirmed while this view was away at WeChat.
  const [isOpen, setIsOpen] = useState(() => readStateLeft() !== undefined);
  const tellFailure = useTellFailure();
  const confirmFirst = useConfirmFirst();
  const open = useMutation({ mutationFn: confirmFirst, onSuccess: () => setIsOpen(true), onError: tellFailure });
  return (
    <>
      <Button loading={open.isPending} onClick={() => open.mutate()}>
        {wechatText.bindTitle}
      </Button>
      {isOpen && <BindWechatDialog ssoUrl={ssoUrl} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function BoundTo({ wechat }: { wechat: Bound }) {
  const ask = useAsk();
  const tell = useTell();
  const unbind = useUnbindWechat();

  function onConfirm() {
    tell(unbind.mutateAsync(), wechatText.unbound);
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
