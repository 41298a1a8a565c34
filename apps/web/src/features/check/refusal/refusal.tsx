import { LockOutlined } from '@ant-design/icons-svg';
import type { CheckReply } from '@tongtu/contract';
import { useEffect, useEffectEvent } from 'react';
import { errorText } from '../../../api/client/error-text.ts';
import { isWebUrl } from '../../../routing/guards.ts';
import { paths, withQuery } from '../../../routing/paths.ts';
import { shownHost } from '../../../address/shown-host.ts';
import { checkText } from '../../../text/gate/check.ts';
import { PlainButton, PlainLinkButton } from '../../../ui/plain/plain-button.tsx';
import { PlainIcon } from '../../../ui/plain/plain-icon.tsx';
import { StatusCard } from '../../../ui/page/status-card.tsx';
import { AccountButton } from '../account-button.tsx';
import { explainRefusal, timedReasons } from './explain-refusal.tsx';
import type { GateDeps, Visit } from '../gate-deps.ts';
import { HomeButton } from '../home-button.tsx';
import { NetworkNote } from '../network-note.tsx';
import { RequestAccess } from './request-access.tsx';
import { useOnShared } from './use-on-shared.ts';
import { useOfflineDevice } from '../use-offline-device.ts';
import { useAccountName, useOpeningTimes, useRequestAccess } from '../use-check.ts';

type RefusalProps = {
  deps: GateDeps;
  reply: CheckReply;
  visit: Visit;
  isAsking: boolean;
  onLogIn: () => void;
  onAgain: () => void;
  /** Checks again without being asked; a failure changes nothing. */
  onPoll: () => void;
  /** Opens the address. */
  onLeave: (url: string) => void;
};

function AgainButton({ isAsking, onAgain }: RefusalProps) {
  return (
    <PlainButton isLoading={isAsking} onClick={onAgain}>
      {checkText.again}
    </PlainButton>
  );
}

/** A refusal of the request, and what the event stream has missed, shows after so long. A check that refuses issues no ticket. */
const pendingRequestMs = 4000;

function NotAllowed(props: RefusalProps) {
  const { deps, reply, visit, isAsking, onAgain, onPoll, onLogIn } = props;
  const username = useAccountName(deps);
  const request = useRequestAccess(deps, visit, onAgain);
  const poll = useEffectEvent(onPoll);
  const isWaiting = reply.request === 'pending' && !isAsking;
  useOnShared(reply.request === 'pending', onPoll);
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setTimeout(() => poll(), pendingRequestMs);
    return () => clearTimeout(timer);
  }, [isWaiting]);
  return (
    <StatusCard
      tone="caution"
      icon={<PlainIcon of={LockOutlined} />}
      title={checkText.notAllowedTitle}
      description={
        <>
          {checkText.notAllowed(shownHost(reply.domain), username)}
          <RequestAccess
            reply={reply}
            problem={request.error === undefined ? '' : errorText(request.error)}
            isSending={request.isPending}
            onRequest={(message) => void request.submit(message)}
          />
          <NetworkNote deps={deps} reply={reply} />
        </>
      }
      actions={
        <>
          <AccountButton deps={deps} reply={reply} type="primary" onLogIn={onLogIn} />
          <AgainButton {...props} />
          <HomeButton deps={deps} />
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
  'over_plan_limit',
];

/** The visitor's network may still be allowed to pass. */
const addressReasons: readonly CheckReply['reason'][] = ['address_only', 'share_ended'];

/** The actions that fit the reason. Only the owner receives `device`. */
function RefusalActions(props: RefusalProps) {
  const { deps, reply, visit } = props;
  const { openAnyway } = useOfflineDevice(props);
  const isOffline = reply.reason === 'device_offline';
  return (
    <>
      {isOffline && (
        <PlainButton type="primary" onClick={() => void openAnyway()}>
          {checkText.openAnyway}
        </PlainButton>
      )}
      {retryableReasons.includes(reply.reason) && <AgainButton {...props} />}
      {reply.logged_in && explainedReasons.includes(reply.reason) && (
        <PlainButton onClick={() => deps.goTo(withQuery(paths.errorport, { invalidDomain: reply.domain }))}>
          {checkText.why}
        </PlainButton>
      )}
      {reply.device && (
        <PlainButton
          type={isOffline ? 'default' : 'primary'}
          onClick={() => deps.goTo(withQuery(paths.devices, { domain: reply.domain }))}
        >
          {checkText.openMapping}
        </PlainButton>
      )}
      {reply.reason === 'share_ended' && (
        <>
          {isWebUrl(reply.url) && (
            <PlainLinkButton type="primary" href={reply.url}>
              {checkText.openDirectly}
            </PlainLinkButton>
          )}
          <PlainButton onClick={() => deps.goTo(withQuery(paths.check, { url: visit.url }), { isReplacing: true })}>
            {checkText.otherMethod}
          </PlainButton>
        </>
      )}
    </>
  );
}

/** A refusal with its reason and actions. */
export function Refusal(props: RefusalProps) {
  const { deps, reply } = props;
  const times = useOpeningTimes(deps, reply.domain, timedReasons.includes(reply.reason));
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
          {addressReasons.includes(reply.reason) && <NetworkNote deps={deps} reply={reply} />}
        </>
      }
      actions={
        <>
          <RefusalActions {...props} />
          <HomeButton deps={deps} />
        </>
      }
    />
  );
}
