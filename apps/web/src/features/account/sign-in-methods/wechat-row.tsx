import { Button } from 'antd';
import { useMutation } from '@tanstack/react-query';
import type { Security } from '@tongtu/contract';
import { useState } from 'react';
import { useSiteConfig } from '../../../api/index.ts';
import { momentText } from '../../../text/moment-text.ts';
import { signInMethodsText, wechatText } from '../../../text/account/users.ts';
import { StateTag } from '../../../ui/state-tag.tsx';
import { useConfirmIdentity } from '../../confirm/use-confirm-identity.ts';
import { useFailureToast } from '../../confirm/use-failure-toast.ts';
import { ConfirmedButton } from '../../confirm/confirmed-button.tsx';
import { readPendingState } from '../../login/wechat/wechat-note.ts';
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
          <StateTag tone="muted">{signInMethodsText.notBound}</StateTag>
        </>
      }
      text={ssoUrl === undefined ? wechatText.unavailable : wechatText.hint}
      {...(ssoUrl === undefined ? {} : { actions: <Bind ssoUrl={ssoUrl} /> })}
    />
  );
}

function Bind({ ssoUrl }: { ssoUrl: string }) {
  // Continues a binding for which WeChat had opened its own page in this tab.
  const [isOpen, setIsOpen] = useState(() => readPendingState() !== undefined);
  const toastFailure = useFailureToast();
  const confirmIdentity = useConfirmIdentity();
  const open = useMutation({ mutationFn: confirmIdentity, onSuccess: () => setIsOpen(true), onError: toastFailure });
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
  const unbind = useUnbindWechat();
  return (
    <SettingRow
      title={wechatText.wechat}
      text={wechatText.bound(wechat.nickname || wechatText.anonymous, momentText(wechat.bound_at))}
      actions={
        <ConfirmedButton
          question={{
            title: wechatText.unbindTitle,
            text: wechatText.unbindText,
            confirm: signInMethodsText.unbind,
          }}
          run={() => unbind.mutateAsync()}
          isRunning={unbind.isPending}
          done={wechatText.unbound}
        />
      }
    />
  );
}
