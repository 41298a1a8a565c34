import type { Device, Statistics } from '@tongtu/contract';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { shownHost, shownUrl } from '../../address/shown-host.ts';
import { bytesText, countText } from '../../text/amounts.ts';
import { plainName } from '../../text/devices/names.ts';
import { statisticsText } from '../../text/statistics.ts';
import { dayOf } from './beijing-time.ts';
import styles from './statistics.module.css';

type TopEntry = { key: string; name: ReactNode; note?: string; amount: number; text: string };

function TopList({
  title,
  hint,
  empty,
  entries,
}: {
  title: string;
  hint?: string | undefined;
  empty: string;
  entries: readonly TopEntry[];
}) {
  const most = Math.max(1, ...entries.map(({ amount }) => amount));
  return (
    <section className={`${styles.panel} ${styles.top}`} aria-label={title}>
      <h2>{title}</h2>
      {hint !== undefined && <p className={styles.quiet}>{hint}</p>}
      {entries.length === 0 ? (
        <p className={styles.quiet}>{empty}</p>
      ) : (
        <ol>
          {entries.map(({ key, name, note, amount, text }) => (
            <li key={key}>
              <span className={styles.topName}>
                <bdi>{name}</bdi>
                {note !== undefined && <span className={styles.quiet}>{note}</span>}
              </span>
              <span className={styles.topAmount}>{text}</span>
              <span className={styles.share} style={{ width: `${(amount / most) * 100}%` }} aria-hidden />
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

/** A mapping's remark and address, and its device. */
export function mappingNames(devices: readonly Device[]): Map<number, { name: string; device: string }> {
  return new Map(
    devices.flatMap((device) =>
      device.mappings.map(({ id, port, domain, url, remark }) => {
        const address = port === null ? shownHost(domain) : shownUrl(url);
        return [id, { name: remark === '' ? address : `${plainName(remark)} · ${address}`, device: device.name }];
      }),
    ),
  );
}

function visitorName({ who, granted_by: grantedBy }: Statistics['top_visitors'][number]): string {
  if (grantedBy === null) return statisticsText.deletedVisitor;
  if (who !== null && who !== '') return plainName(who);
  const names: Record<string, string> = statisticsText.visitorBy;
  return names[grantedBy] ?? statisticsText.visitor;
}

type TopListsProps = {
  statistics: Statistics;
  devices: readonly Device[];
  isByHour: boolean;
  /** Undefined: it is a mapping already. */
  linkTo: ((scope: { router: number; mapping: number }) => string) | undefined;
};

/** The mappings, visitors and places with the most usage. */
export function TopLists({ statistics, devices, isByHour, linkTo }: TopListsProps) {
  const names = mappingNames(devices);
  const requestsText = (count: number) => statisticsText.requests(countText(count));
  const { tops, topsEmpty } = statisticsText;
  const hint = isByHour ? statisticsText.byDayOnly(dayOf(Date.parse(statistics.from))) : undefined;
  return (
    <div className={styles.tops}>
      {linkTo && (
        <TopList
          title={tops.mappings}
          empty={topsEmpty.mappings}
          entries={statistics.top_mappings.map(({ mapping, router, bytes, requests }) => {
            const known = names.get(mapping);
            return {
              key: String(mapping),
              name: <Link to={linkTo({ router, mapping })}>{known?.name ?? statisticsText.unknownMapping}</Link>,
              note: `${known === undefined ? '' : `${known.device} · `}${requestsText(requests)}`,
              amount: bytes,
              text: bytesText(bytes),
            };
          })}
        />
      )}
      <TopList
        title={tops.visitors}
        hint={hint}
        empty={topsEmpty.visitors}
        entries={statistics.top_visitors.map((visitor, index) => ({
          key: String(index),
          name: visitorName(visitor),
          amount: visitor.requests,
          text: requestsText(visitor.requests),
        }))}
      />
      <TopList
        title={tops.places}
        hint={hint}
        empty={topsEmpty.places}
        entries={statistics.top_places.map(({ place, requests }) => ({
          key: place,
          name: place === '' ? statisticsText.unknownPlace : place,
          amount: requests,
          text: requestsText(requests),
        }))}
      />
    </div>
  );
}
