import { LockOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { CheckReply } from '@tongtu/contract';
import { useNavigate } from 'react-router';
import { isWebUrl } from '../../guards.ts';
import { HomeButton } from '../../home-button.tsx';
import { paths, withQuery } from '../../paths.ts';
import { checkText } from '../../text/check.ts';
import { StatusCard } from '../../ui/status-card.tsx';
import { AccountButton } from './account-button.tsx';
import { explainRefusal, timedReasons } from './explain-refusal.tsx';
import { NetworkNote } from './network-note.tsx';
import { useAccountName, useOpeningTimes, type Visit } from './use-check.ts';

type RefusalProps = {
  reply: CheckReply;
  visit: Visit;
  isAsking: boolean;
  onAgain: () => void;
  onOpenAnyway: () => void;
};

function AgainButton({ isAsking, onAgain }: RefusalProps) {
  return (
    <Button loading={isAsking} onClick={onAgain}>
      {checkText.again}
    </Button>
  );
}

function NotAllowed(props: RefusalProps) {
  const { reply, visit } = props;
  const username = useAccountName(true);
  return (
    <StatusCard
      tone="caution"
      icon={<LockOutlined />}
      title={checkText.notAllowedTitle}
      description={
        <>
          {checkText.notAllowed(reply.domain, username)}
          <NetworkNote reply={reply} />
        </>
      }
      actions={
        <>
          <AccountButton reply={reply} url={visit.url} type="primary" />
          <AgainButton {...props} />
          <HomeButton />
        </>
      }
    />
  );
}

/** What the error page has more to say of: to its owner, how to change it. */
const explainedReasons: readonly CheckReply['reason'][] = [
  ...timedReasons,
  'device_offline',
  'device_disabled',
  'mapping_disabled',
];

/** What its owner may change at any moment; a device that is away is waited for. */
const passingReasons: readonly CheckReply['reason'][] = [
  ...timedReasons,
  'device_disabled',
  'mapping_disabled',
  'plan_expired',
];

/** Where the visitor may still come in by the address of their network. */
const addressReasons: readonly CheckReply['reason'][] = ['address_only', 'share_ended'];

/** The ways on that fit the reason. `device` is told to its owner only. */
function RefusalActions(props: RefusalProps) {
  const { reply, visit, onOpenAnyway } = props;
  const navigate = useNavigate();
  const isOffline = reply.reason === 'device_offline';
  return (
    <>
      {isOffline && (
        <Button type="primary" onClick={onOpenAnyway}>
          {checkText.openAnyway}
        </Button>
      )}
      {passingReasons.includes(reply.reason) && <AgainButton {...props} />}
      {reply.logged_in && explainedReasons.includes(reply.reason) && (
        <Button onClick={() => void navigate(withQuery(paths.errorport, { invalidDomain: reply.domain }))}>
          {checkText.why}
        </Button>
      )}
      {reply.device && (
        <Button
          type={isOffline ? 'default' : 'primary'}
          onClick={() => void navigate(withQuery(paths.devices, { domain: reply.domain }))}
        >
          {checkText.openMapping}
        </Button>
      )}
      {reply.reason === 'share_ended' && (
        <>
          {isWebUrl(reply.url) && (
            <Button type="primary" href={reply.url}>
              {checkText.openDirectly}
            </Button>
          )}
          <Button onClick={() => void navigate(withQuery(paths.check, { url: visit.url }), { replace: true })}>
            {checkText.otherMethod}
          </Button>
        </>
      )}
    </>
  );
}

/** Why the answer is no, or not yet, and the ways on. */
export function Refusal(props: RefusalProps) {
  const { reply } = props;
  const times = useOpeningTimes(reply.domain, timedReasons.includes(reply.reason));
  if (reply.reason === 'not_allowed') return <NotAllowed {...props} />;
  const { icon, title, text } = explainRefusal(reply, times);
  return (
    <StatusCard
      tone="caution"
      icon={icon}
      title={title}
      description={
        <>
          {text}
          {addressReasons.includes(reply.reason) && <NetworkNote reply={reply} />}
        </>
      }
      actions={
        <>
          <RefusalActions {...props} />
          <HomeButton />
        </>
      }
    />
  );
}
