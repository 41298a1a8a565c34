import type { ApiToken } from '@tongtu/contract';
import { apiTokensText } from '../../../text/account/account.ts';
import { momentText } from '../../../text/moment-text.ts';
import { timeTexts } from '../../../text/time.ts';
import { Mono } from '../../../ui/mono.tsx';
import { RelativeTime } from '../../../ui/time/relative-time.tsx';
import { StateTag } from '../../../ui/state-tag.tsx';
import { useWallClock } from '../../../ui/time/use-wall-clock.ts';
import { ConfirmedButton } from '../../confirm/confirmed-button.tsx';
import { SettingRow } from '../setting-row.tsx';
import styles from '../account.module.css';
import { useRemoveApiToken } from './use-api-tokens.ts';

const agedEveryMs = 20_000;

export function ApiTokenRow({ apiToken }: { apiToken: ApiToken }) {
  const wallClockMs = useWallClock(agedEveryMs);
  const isExpired = apiToken.expires_at !== null && Date.parse(apiToken.expires_at) <= wallClockMs;
  return (
    <SettingRow
      title={
        <>
          <bdi>{apiToken.name}</bdi>
          <Mono>{`${apiToken.hint}…`}</Mono>
          {isExpired && <StateTag tone="muted">{apiTokensText.expired}</StateTag>}
        </>
      }
      text={
        <>
          <div>{apiToken.scopes.map((scope) => apiTokensText.scopes[scope]).join('、')}</div>
          <div className={styles.facts}>
            <span>
              {apiToken.expires_at === null
                ? apiTokensText.forever
                : apiTokensText.expires(momentText(apiToken.expires_at))}
            </span>
            <LastUse at={apiToken.last_used_at} />
          </div>
        </>
      }
      actions={<Remove apiToken={apiToken} />}
    />
  );
}

function LastUse({ at }: { at: string | null }) {
  if (at === null) return <span>{apiTokensText.neverUsed}</span>;
  return (
    <span>
      <RelativeTime {...timeTexts(at)} />
      {apiTokensText.usedAt}
    </span>
  );
}

function Remove({ apiToken: { id, name } }: { apiToken: ApiToken }) {
  const remove = useRemoveApiToken();
  return (
    <ConfirmedButton
      danger
      question={{
        title: apiTokensText.removeTitle(name),
        text: apiTokensText.removeText,
        confirm: apiTokensText.remove,
      }}
      run={() => remove.mutateAsync(id)}
      isRunning={remove.isPending}
      done={apiTokensText.removed}
      aria-label={apiTokensText.removeLabel(name)}
    />
  );
}
