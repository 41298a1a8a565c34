import type { CheckReply } from '@tongtu/contract';
import { isWebUrl } from '../../routing/guards.ts';
import { checkText } from '../../text/gate/check.ts';
import { momentText } from '../../text/moment-text.ts';
import { Mono } from '../../ui/mono.tsx';
import styles from './check.module.css';
import type { GateDeps } from './gate-deps.ts';
import { useRegisteredIp } from './use-check.ts';

/** Whether the visitor's network may pass without another proof. */
export function NetworkNote({ deps, reply }: { deps: GateDeps; reply: CheckReply }) {
  const registered = useRegisteredIp(deps, reply.url);
  // The line is there from the start, so that its answer moves nothing.
  if (registered === undefined) return <p className={styles.network}>{checkText.networkAsked}</p>;
  const { ip, expires_at: until } = registered;
  if (!registered.registered) {
    return (
      <p className={styles.network}>
        {checkText.network} <Mono>{ip}</Mono> {checkText.networkUnknown}
      </p>
    );
  }
  return (
    <p className={styles.network}>
      {checkText.network} <Mono>{ip}</Mono>{' '}
      {until === null ? checkText.networkAllowed : checkText.networkAllowedUntil(momentText(until))}
      {isWebUrl(reply.url) && <a href={reply.url}>{checkText.openDirectly}</a>}
    </p>
  );
}
