import { Alert, Button, Segmented } from 'antd';
import type { Device } from '@tongtu/contract';
import { useState } from 'react';
import { errorText } from '../../../api/index.ts';
import { upgradeAgentText } from '../../../text/devices/upgrade-agent.ts';
import lines from '../../enrolment-keys/enrolment-keys.module.css';
import styles from '../add-device/add-device.module.css';
import { useUpgradeAgents } from './use-upgrade-agent.ts';

const shares = ([10, 50, 100] as const).map((value) => ({ value, label: upgradeAgentText.shares[value] }));

/** Upgrades all devices that can be upgraded, or a part of them first. */
export function UpgradeSeveral({ devices }: { devices: readonly Device[] }) {
  const [count] = useState(
    () => devices.filter(({ online, agent_upgrade }) => online && agent_upgrade !== null).length,
  );
  const [percent, setPercent] = useState<10 | 50 | 100>(100);
  const upgrade = useUpgradeAgents();
  const unchanged = useUnchanged(devices, upgrade.isSuccess);
  if (count < 2) return null;
  return (
    <section>
      <p className={lines.hint}>
        <strong>{upgradeAgentText.several(count)}</strong>：{upgradeAgentText.severalHint}
      </p>
      <div className={styles.several}>
        <Segmented aria-label={upgradeAgentText.share} options={shares} value={percent} onChange={setPercent} />
        <Button loading={upgrade.isPending} onClick={() => upgrade.mutate(percent)}>
          {upgradeAgentText.severalButton}
        </Button>
      </div>
      {upgrade.data && (
        <Alert
          type={upgrade.data.failed > 0 ? 'warning' : 'success'}
          showIcon
          title={upgradeAgentText.severalDone(upgrade.data)}
          className={lines.outcome ?? ''}
        />
      )}
      {unchanged.length > 0 && (
        <Alert
          type="warning"
          showIcon
          title={upgradeAgentText.severalUnchanged(unchanged.map(({ name }) => name))}
          className={lines.outcome ?? ''}
        />
      )}
      {upgrade.error && (
        <Alert type="warning" showIcon title={errorText(upgrade.error)} className={lines.outcome ?? ''} />
      )}
    </section>
  );
}

/** Devices that have been offline since the upgrade began, and are back with the agent from before. */
function useUnchanged(devices: readonly Device[], hasBegun: boolean): readonly Device[] {
  const older = devices.filter(({ agent_upgrade }) => agent_upgrade !== null);
  const [awayBefore] = useState(() => new Set(older.filter(({ online }) => !online).map(({ id }) => id)));
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const leaving = older.filter(({ id, online }) => hasBegun && !online && !awayBefore.has(id) && !left.has(id));
  if (leaving.length > 0) setLeft(new Set([...left, ...leaving.map(({ id }) => id)]));
  return older.filter(({ id, online }) => online && left.has(id));
}
