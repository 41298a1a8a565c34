import type { Device, VerificationRecord } from '@tongtu/contract';
import { recordsText } from '../../text/records.ts';
import { wideScreen, ListTable } from '../../ui/page/list-table.tsx';
import { useMediaQuery } from '../../ui/use-media-query.ts';
import { useWallClock } from '../../ui/time/use-wall-clock.ts';
import { nameOf, stateOf } from './describe-record.ts';
import { RecordActions } from './record-actions.tsx';
import type { RecordState } from './record-filters.ts';
import { Address, Ground, Since, State, Until, Visitor } from './record-parts.tsx';
import styles from './records.module.css';

const agedEveryMs = 10_000;

type RecordListProps = {
  records: readonly VerificationRecord[];
  /** Undefined until loaded. */
  devices: readonly Device[] | undefined;
};

/** A table on wide screens, else cards. */
export function RecordList({ records, devices }: RecordListProps) {
  const isWide = useMediaQuery(wideScreen);
  const wallClockMs = useWallClock(agedEveryMs);
  const byId = new Map(devices?.map((device) => [device.id, device]));
  const rows = records.map((record): Row => {
    return { record, device: byId.get(record.router), state: stateOf(record, wallClockMs) };
  });
  return isWide ? <Table rows={rows} /> : <Cards rows={rows} />;
}

type Row = { record: VerificationRecord; device: Device | undefined; state: RecordState };
type RowsProps = { rows: readonly Row[] };

const heads = [...Object.values(recordsText.columns), recordsText.actions];

function Table({ rows }: RowsProps) {
  return (
    <ListTable heads={heads} className={styles.records}>
      {rows.map(({ record, device, state }) => (
        <tr key={record.id} data-state={state} aria-label={nameOf(record)}>
          <td>
            <Visitor record={record} />
          </td>
          <td>
            <Address record={record} />
          </td>
          <td>
            <Ground record={record} />
          </td>
          <td className={styles.time}>
            <Since record={record} />
          </td>
          <td className={styles.time}>
            <Until record={record} />
          </td>
          <td>
            <State state={state} />
          </td>
          <td>
            <RecordActions record={record} device={device} state={state} />
          </td>
        </tr>
      ))}
    </ListTable>
  );
}

function Cards({ rows }: RowsProps) {
  return (
    <ul className={styles.cards}>
      {rows.map(({ record, device, state }) => (
        <li key={record.id} data-state={state} aria-label={nameOf(record)}>
          <div className={styles.cardHead}>
            <Visitor record={record} />
            <div className={styles.cardState}>
              <State state={state} />
              {state !== 'active' && <RecordActions record={record} device={device} state={state} />}
            </div>
          </div>
          <dl className={styles.facts}>
            <dt>{recordsText.columns.address}</dt>
            <dd>
              <Address record={record} />
            </dd>
            <dt>{recordsText.columns.ground}</dt>
            <dd>
              <Ground record={record} />
            </dd>
            <dt>{recordsText.columns.since}</dt>
            <dd>
              <Since record={record} />
            </dd>
            <dt>{recordsText.columns.until}</dt>
            <dd>
              <Until record={record} />
            </dd>
          </dl>
          {state === 'active' && <RecordActions record={record} device={device} state={state} />}
        </li>
      ))}
    </ul>
  );
}
