import { DisconnectOutlined, LinkOutlined, LockOutlined, StopOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { CheckReply } from '@tongtu/contract';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { errorText } from '../../api/index.ts';
import { paths, withQuery } from '../../paths.ts';
import { checkText } from '../../text/check.ts';
import { StatusCard } from '../../ui/status-card.tsx';
import { useAccountName, useSwitchAccount } from './use-check.ts';

type RefusalProps = { reply: CheckReply; url: string; homeButton: ReactNode };

function NotAllowed({ reply, url, homeButton }: RefusalProps) {
  const username = useAccountName(true);
  const switchAccount = useSwitchAccount(url);
  return (
    <StatusCard
      tone="caution"
      icon={<LockOutlined />}
      title={checkText.notAllowedTitle}
      description={
        switchAccount.isError ? errorText(switchAccount.error) : checkText.notAllowed(reply.domain, username)
      }
      actions={
        <>
          <Button type="primary" loading={switchAccount.isPending} onClick={() => switchAccount.mutate()}>
            {checkText.switchAccount}
          </Button>
          {homeButton}
        </>
      }
    />
  );
}

type Explanation = { icon: ReactNode; title: string; text: string };

function explain(reply: CheckReply): Explanation {
  const { domain } = reply;
  switch (reply.reason) {
    case 'mapping_disabled':
      return {
        icon: <StopOutlined />,
        title: checkText.mappingDisabledTitle,
        text: checkText.mappingDisabled(domain),
      };
    case 'device_disabled':
      return { icon: <StopOutlined />, title: checkText.deviceDisabledTitle, text: checkText.deviceDisabled(domain) };
    case 'device_offline':
      return {
        icon: <DisconnectOutlined />,
        title: checkText.deviceOfflineTitle,
        text: checkText.deviceOffline(domain),
      };
    case 'address_only':
      return { icon: <LockOutlined />, title: checkText.addressOnlyTitle, text: checkText.addressOnly(domain) };
    default:
      return { icon: <LinkOutlined />, title: checkText.noSuchMappingTitle, text: checkText.noSuchMapping(domain) };
  }
}

/** Why the answer is no, and the ways on. `device` is told to its owner only. */
export function Refusal(props: RefusalProps) {
  const { reply, homeButton } = props;
  const navigate = useNavigate();
  if (reply.reason === 'not_allowed') return <NotAllowed {...props} />;
  const { icon, title, text } = explain(reply);
  return (
    <StatusCard
      tone="caution"
      icon={icon}
      title={title}
      description={text}
      actions={
        <>
          {reply.device && (
            <Button type="primary" onClick={() => void navigate(withQuery(paths.devices, { domain: reply.domain }))}>
              {checkText.openMapping}
            </Button>
          )}
          {reply.reason === 'device_offline' && (
            <Button onClick={() => void navigate(withQuery(paths.errorport, { invalidDomain: reply.domain }))}>
              {checkText.why}
            </Button>
          )}
          {homeButton}
        </>
      }
    />
  );
}
