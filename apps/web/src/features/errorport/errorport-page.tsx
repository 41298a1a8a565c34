import { CheckCircleOutlined, DisconnectOutlined, SearchOutlined, WarningOutlined } from '@ant-design/icons';
import { useQueryClient } from '@tanstack/react-query';
import { Button, Spin } from 'antd';
import type { PublicRouterInfo } from '@tongtu/contract';
import { useNavigate, useSearchParams } from 'react-router';
import { devicesKey, errorText, useDomainState, useSiteConfig } from '../../api/index.ts';
import { HomeButton } from '../../home-button.tsx';
import { paths, withQuery } from '../../routing/paths.ts';
import { publicAddress } from '../../address/public-address.ts';
import { shownHost } from '../../address/shown-host.ts';
import { errorportText } from '../../text/gate/errorport.ts';
import { sharedText } from '../../text/shared.ts';
import { timeTexts } from '../../text/time.ts';
import { FullPage } from '../../ui/page/full-page.tsx';
import { Mono } from '../../ui/mono.tsx';
import { RelativeTime } from '../../ui/time/relative-time.tsx';
import { StatusCard } from '../../ui/page/status-card.tsx';
import { domainOf } from './domain-of.ts';
import styles from './errorport.module.css';
import { explainDomain } from './explain-domain.ts';
import { useIsOwner } from './use-is-owner.ts';

/** States that the owner has set are changed at the device; the others are diagnosed. */
const settings: Partial<Record<PublicRouterInfo['state'], string>> = {
  disabled: errorportText.enable,
  mapping_disabled: errorportText.enable,
  closed: errorportText.changeOpening,
  not_open_yet: errorportText.changeOpening,
  outside_hours: errorportText.changeOpening,
};

function isSetByOwner({ state }: PublicRouterInfo): boolean {
  return settings[state] !== undefined;
}

function OwnerButton({ info }: { info: PublicRouterInfo }) {
  const navigate = useNavigate();
  const setting = settings[info.state];
  const queryClient = useQueryClient();

  function openDevices() {
    // No live update reaches this screen, so the list from before may lack the very state that is explained here.
    queryClient.removeQueries({ queryKey: devicesKey });
    const check = setting === undefined ? '1' : undefined;
    void navigate(withQuery(paths.devices, { domain: info.domain, check }));
  }

  return (
    <Button type={setting === undefined ? 'default' : 'primary'} onClick={openDevices}>
      {setting ?? errorportText.diagnose}
    </Button>
  );
}

function Explained({ info, domain }: { info: PublicRouterInfo; domain: string }) {
  const navigate = useNavigate();
  const isKnown = info.state !== 'unknown';
  const isOwner = useIsOwner(info.domain, isKnown);
  const address = `${publicAddress(useSiteConfig()?.console_url, info.domain)}/`;
  const { tone, title, text } = explainDomain(info, domain);
  const isGood = tone === 'good';
  return (
    <StatusCard
      tone={tone}
      icon={isGood ? <CheckCircleOutlined /> : <DisconnectOutlined />}
      title={title}
      description={
        <>
          <p className={styles.domain}>
            <Mono>{shownHost(domain)}</Mono>
            {info.state === 'offline' && info.since !== null && (
              <span>
                <RelativeTime {...timeTexts(info.since)} />
                {errorportText.wentOffline}
              </span>
            )}
          </p>
          {text}
        </>
      }
      actions={
        <>
          {isKnown && (
            // Through the gate, which alone decides where a browser may be redirected.
            <Button
              type={isOwner && isSetByOwner(info) ? 'default' : 'primary'}
              onClick={() => void navigate(withQuery(paths.check, { url: address }))}
            >
              {errorportText.reopen}
            </Button>
          )}
          {isOwner && <OwnerButton info={info} />}
          <HomeButton />
        </>
      }
    />
  );
}

function DomainState({ domain }: { domain: string }) {
  const { data: info, error, refetch } = useDomainState(domain, { isWanted: true, isPolled: true });
  if (info) return <Explained info={info} domain={domain} />;
  if (error) {
    return (
      <StatusCard
        tone="error"
        icon={<WarningOutlined />}
        title={errorportText.failedTitle}
        description={errorText(error)}
        actions={
          <>
            <Button type="primary" onClick={() => void refetch()}>
              {sharedText.retry}
            </Button>
            <HomeButton />
          </>
        }
      />
    );
  }
  return <StatusCard tone="accent" icon={<SearchOutlined />} title={errorportText.looking} description={<Spin />} />;
}

/** Explains why an address does not open, with actions. */
export function ErrorportPage() {
  const [search] = useSearchParams();
  const domain = domainOf(search.get('invalidDomain') ?? '');
  return (
    <FullPage>
      {domain === '' ? (
        <StatusCard
          tone="caution"
          icon={<WarningOutlined />}
          title={errorportText.noDomainTitle}
          description={errorportText.noDomain}
          actions={<HomeButton />}
        />
      ) : (
        <DomainState key={domain} domain={domain} />
      )}
    </FullPage>
  );
}
