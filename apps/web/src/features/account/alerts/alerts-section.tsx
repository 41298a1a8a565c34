import { Button } from 'antd';
import type { AlertChannel, AlertSettings } from '@tongtu/contract';
import { MAX_ALERT_CHANNELS } from '@tongtu/contract/limits';
import { useState } from 'react';
import { alertsText } from '../../../text/account/alerts.ts';
import { Loaded } from '../loaded.tsx';
import { SectionCard } from '../section-card.tsx';
import styles from '../account.module.css';
import { ChannelDialog } from './channel-form/channel-dialog.tsx';
import { ChannelRow } from './channel-row.tsx';
import { DeliveriesDialog } from './deliveries-dialog.tsx';
import { OfflineAfterRow } from './offline-after-row.tsx';
import { TryChannelDialog } from './try-channel-dialog.tsx';
import { useAlertSettings } from './use-alerts.ts';
import { useHasMail } from './use-has-mail.ts';

const fullHintId = 'alerts-full';

export function AlertsSection() {
  const settings = useAlertSettings();
  const channels = settings.data?.channels ?? [];
  const [isAdding, setIsAdding] = useState(false);
  const [added, setAdded] = useState<AlertChannel>();
  useHasMail(); // fetched before the form opens, because the form offers mail first if there is mail
  return (
    <SectionCard
      name="alerts"
      title={alertsText.title}
      intro={alertsText.intro}
      extra={channels.length > 0 && <AddButton count={channels.length} onAdd={() => setIsAdding(true)} />}
    >
      <Loaded query={settings}>
        {(known) =>
          known.channels.length > 0 ? <Known settings={known} /> : <NoChannel onAdd={() => setIsAdding(true)} />
        }
      </Loaded>
      {isAdding && <ChannelDialog channels={channels} onClose={() => setIsAdding(false)} onAdded={setAdded} />}
      {added && <TryChannelDialog channel={added} onClose={() => setAdded(undefined)} />}
    </SectionCard>
  );
}

function AddButton({ count, onAdd }: { count: number; onAdd: () => void }) {
  const isFull = count >= MAX_ALERT_CHANNELS;
  return (
    <Button
      disabled={isFull}
      onClick={onAdd}
      aria-label={alertsText.addTitle}
      aria-describedby={isFull ? fullHintId : undefined}
    >
      {alertsText.add}
    </Button>
  );
}

function NoChannel({ onAdd }: { onAdd: () => void }) {
  return (
    <div className={styles.nothing}>
      <strong>{alertsText.emptyTitle}</strong>
      <p className={styles.hint}>{alertsText.emptyText}</p>
      <Button type="primary" onClick={onAdd}>
        {alertsText.addTitle}
      </Button>
    </div>
  );
}

function Known({ settings }: { settings: AlertSettings }) {
  const { channels, offline_after_minutes: offlineAfterMinutes } = settings;
  const [isListing, setIsListing] = useState(false);
  return (
    <>
      <OfflineAfterRow minutes={offlineAfterMinutes} />
      {channels.map((channel) => (
        <ChannelRow key={channel.id} channel={channel} channels={channels} />
      ))}
      {channels.length >= MAX_ALERT_CHANNELS && (
        <p id={fullHintId} className={styles.empty}>
          {alertsText.full(MAX_ALERT_CHANNELS)}
        </p>
      )}
      <div className={styles.foot}>
        <Button onClick={() => setIsListing(true)}>{alertsText.recent}</Button>
      </div>
      {isListing && <DeliveriesDialog onClose={() => setIsListing(false)} />}
    </>
  );
}
