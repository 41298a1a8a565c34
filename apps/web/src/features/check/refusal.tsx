import { LockOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { CheckReply } from '@tongtu/contract';
import { useNavigate } from 'react-router';
import { errorText } from '../../api/index.ts';
import { isWebUrl } from '../../guards.ts';
import { HomeButton } from '../../home-button.tsx';
import { paths, withQuery } from '../../paths.ts';
import { checkText } from '../../text/check.ts';
import { StatusCard } from '../../ui/status-card.tsx';
import { AccountButton } from './account-button.tsx';
import { explainRefusal, timedReasons } from './explain-refusal.tsx';
import { NetworkNote } from './network-note.tsx';
import { RequestAccess } from './request-access.tsx';
import { useAccountName, useOpeningTimes, useRequestAccess, type Visit } from './use-check.ts';

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
  const request = useRequestAccess(visit);
  return (
    <StatusCard
      tone="caution"
      icon={<LockOutlined />}
      title={checkText.notAllowedTitle}
      description={
        <>
          {checkText.notAllowed(reply.domain, username)}
          <RequestAccess
            reply={reply}
            problem={request.error ? errorText(request.error) : ''}
            isSending={request.isPending}
            onRequest={(message) => request.mutate(message)}
          />
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

/** The error screen says more about these; it shows the owner how to change them. */
const explainedReasons: readonly CheckReply['reason'][] = [
  ...timedReasons,
  'device_offline',
  'device_disabled',
  'mapping_disabled',
];

/** The owner may change these at any time. For an offline device the gate waits instead. */
const retryableReasons: readonly CheckReply['reason'][] = [
  ...timedReasons,
  'device_disabled',
  'mapping_disabled',
  'plan_expired',
];

/** The visitor's network may still be allowed to pass. */
const addressReasons: readonly CheckReply['reason'][] = ['address_only', 'share_ended'];

/** The actions that fit the reason. Only the owner receives `device`. */
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
      {retryableReasons.includes(reply.reason) && <AgainButton {...props} />}
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

/** A refusal with its reason and actions. */
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
