import { Button } from 'antd';
import type { Statistics } from '@tongtu/contract';
import { useState } from 'react';
import { Link } from 'react-router';
import { visibleName } from '../../text/devices/names.ts';
import { statisticsText } from '../../text/statistics.ts';
import { pointText } from './beijing-time.ts';
import { ScrolledTable } from './scrolled-table.tsx';
import styles from './statistics.module.css';

const hourMs = 3_600_000;
const shownAtOnce = 20;
/** A few seconds without a connection, as after an update, are no reason for another colour. */
const fullFrom = 0.999;
const mostFrom = 0.95;
const shownOutages = 8;

type DeviceUptime = Statistics['uptime'][number];
type Share = DeviceUptime['share'];
type State = keyof typeof statisticsText.uptimeStates;

function uptimeState(share: Share): State {
  if (share === null) return 'none';
  if (share >= fullFrom) return 'full';
  return share >= mostFrom ? 'most' : 'low';
}

/** Never 100 % for less than that. */
function shareText(share: Share): string {
  if (share === null) return statisticsText.noUptime;
  return statisticsText.percent(share < 1 ? Math.min(share, 0.999) : share);
}

/** The devices that were offline most come first, those without data last. */
export function byUptime(uptime: readonly DeviceUptime[]): DeviceUptime[] {
  return uptime.toSorted((one, other) => (one.share ?? 2) - (other.share ?? 2));
}

type UptimeListProps = { statistics: Statistics; isByHour: boolean; linkTo: (router: number) => string };

/** For each device a row of hours or days, in the colour of the time that it was online. */
export function UptimeList({ statistics, isByHour, linkTo }: UptimeListProps) {
  const [limit, setLimit] = useState(shownAtOnce);
  const devices = byUptime(statistics.uptime);
  const unit = isByHour ? 'hour' : 'day';
  const firstMs = Date.parse(statistics.uptime_from);
  const timeOf = (index: number) => pointText(unit, firstMs + index * (isByHour ? 1 : 24) * hourMs);
  const shown = devices.slice(0, limit);
  const left = Math.min(shownAtOnce, devices.length - limit);
  return (
    <section className={`${styles.panel} ${styles.uptime}`} aria-label={statisticsText.uptime}>
      <h2>{statisticsText.uptime}</h2>
      <p className={styles.quiet}>{statisticsText.uptimeHint[unit]}</p>
      <ul className={styles.states}>
        {Object.entries(statisticsText.uptimeStates).map(([state, word]) => (
          <li key={state}>
            <span className={styles.bar} data-state={state} aria-hidden />
            {word}
          </li>
        ))}
      </ul>
      <ul className={styles.devices}>
        {shown.map((device) => (
          <li key={device.router}>
            <span className={styles.deviceName}>
              <Link to={linkTo(device.router)}>
                <bdi>{visibleName(device.name, statisticsText.unknownDevice)}</bdi>
              </Link>
              <b>{shareText(device.share)}</b>
            </span>
            <span className={styles.bars} aria-hidden>
              {device.bars.map((share, index) => (
                <span
                  key={index}
                  className={styles.bar}
                  data-state={uptimeState(share)}
                  title={
                    share === null
                      ? statisticsText.notObserved(timeOf(index))
                      : statisticsText.uptimeAt(timeOf(index), shareText(share))
                  }
                />
              ))}
            </span>
          </li>
        ))}
      </ul>
      {left > 0 && <Button onClick={() => setLimit(limit + shownAtOnce)}>{statisticsText.moreDevices(left)}</Button>}
      <UptimeTable devices={shown} timeOf={timeOf} />
    </section>
  );
}

function UptimeTable({ devices, timeOf }: { devices: readonly DeviceUptime[]; timeOf: (index: number) => string }) {
  function outagesOf({ bars }: DeviceUptime): string {
    const found = bars
      .flatMap((share, index) => (share === null || share === 1 ? [] : [`${timeOf(index)}（${shareText(share)}）`]))
      .toReversed();
    if (found.length === 0) return statisticsText.alwaysOnline;
    const rest = found.length > shownOutages ? statisticsText.andMore(found.length) : '';
    return found.slice(0, shownOutages).join('、') + rest;
  }
  return (
    <details className={styles.details}>
      <summary>
        {statisticsText.table}
        <span className={styles.unseen}>{statisticsText.uptime}</span>
      </summary>
      <ScrolledTable label={statisticsText.tableOf(statisticsText.uptime)}>
        <thead>
          <tr>
            <th scope="col">{statisticsText.device}</th>
            <th scope="col">{statisticsText.uptime}</th>
            <th scope="col">{statisticsText.offlineTimes}</th>
          </tr>
        </thead>
        <tbody>
          {devices.map((device) => (
            <tr key={device.router}>
              <th scope="row">
                <bdi>{visibleName(device.name, statisticsText.unknownDevice)}</bdi>
              </th>
              <td>{shareText(device.share)}</td>
              <td className={styles.words}>{device.share === null ? statisticsText.none : outagesOf(device)}</td>
            </tr>
          ))}
        </tbody>
      </ScrolledTable>
    </details>
  );
}
